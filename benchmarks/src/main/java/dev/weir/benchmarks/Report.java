package dev.weir.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The measurements as Markdown. */
final class Report {
  private final Measurements measured;

  Report(Measurements measured) {
    this.measured = measured;
  }

  String render(Effort effort) {
    return String.join(
        "\n",
        "Machine: " + Machine.inWords() + ".\n",
        "Versions: " + Versions.inWords() + ".\n",
        "Measured in " + effort.inWords() + ". " + disturbance() + "\n",
        "### Targets\n\n" + targets(),
        "### Where a peer is as good or better\n\n" + rivals(),
        "### Time\n\nNanoseconds per decision and thread: the median (and the spread) of rounds.\n",
        nanos().toString(),
        "### Memory\n\nBytes allocated per decision; bytes of heap per key at a million keys.\n",
        memory().toString(),
        "### Settings\n\n" + settings());
  }

  private String disturbance() {
    Spread disturbed = measured.disturbed();
    return "Other programs used %s %% of the processors in the median fork, %s %% in the worst."
        .formatted(Figures.whole(100 * disturbed.median()), Figures.whole(100 * disturbed.most()));
  }

  private MarkdownTable targets() {
    MarkdownTable table = MarkdownTable.ofText(List.of("", "target", "measured", ""));
    for (Target target : new Targets(measured).all()) {
      table.row(List.of(target.number(), target.promise(), target.measured(), target.verdict()));
    }
    return table;
  }

  private String rivals() {
    List<String> sentences = new Rivals(measured).sentences();
    if (sentences.isEmpty()) {
      return "Nowhere in this run.\n";
    }
    return sentences.stream().map(sentence -> "- " + sentence + "\n").collect(Collectors.joining());
  }

  private MarkdownTable nanos() {
    Stream<String> titles = Arrays.stream(Workload.values()).map(workload -> workload.title);
    MarkdownTable table = MarkdownTable.ofNumbers(Stream.concat(Stream.of(""), titles).toList());
    for (Contender contender : Contender.values()) {
      List<String> cells = new ArrayList<>(List.of(contender.title));
      for (Workload workload : Workload.values()) {
        cells.add(Figures.withSpread(measured.nanos(workload, contender)));
      }
      table.row(cells);
    }
    return table;
  }

  private MarkdownTable memory() {
    MarkdownTable table =
        MarkdownTable.ofNumbers(List.of("", "B/op, admitted", "B/op, denied", "B/key"));
    for (Contender contender : Contender.values()) {
      table.row(
          List.of(
              contender.title,
              Figures.whole(measured.bytes(Workload.HOT_KEY, contender).median()),
              Figures.whole(measured.bytes(Workload.DENIED, contender).median()),
              Figures.whole(measured.bytesPerKey(contender))));
    }
    return table;
  }

  private static MarkdownTable settings() {
    MarkdownTable table = MarkdownTable.ofText(List.of("", "setting"));
    for (Contender contender : Contender.values()) {
      table.row(List.of(contender.title, contender.library().setting()));
    }
    return table;
  }
}
