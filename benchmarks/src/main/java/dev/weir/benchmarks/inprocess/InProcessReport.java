package dev.weir.benchmarks.inprocess;

import static dev.weir.benchmarks.inprocess.InProcessContender.WEIR_TOKEN_BUCKET;

import dev.weir.benchmarks.inprocess.ForkedRun.Timing;
import dev.weir.benchmarks.report.MarkdownTable;
import dev.weir.benchmarks.report.MeasurementSetup;
import dev.weir.benchmarks.report.MedianAndRange;
import dev.weir.benchmarks.report.PerformanceTarget;
import dev.weir.benchmarks.report.ReportNumbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The measurements as Markdown. */
final class InProcessReport {
  private static final List<String> VERSIONS =
      List.of("Weir", "Bucket4j", "Resilience4j", "Guava", "Failsafe", "JMH");

  private final InProcessMeasurements measured;

  InProcessReport(InProcessMeasurements measured) {
    this.measured = measured;
  }

  String render(Timing timing) {
    return String.join(
        "\n",
        "Machine: " + MeasurementSetup.machine() + ".\n",
        "Versions: " + MeasurementSetup.versions(VERSIONS) + ".\n",
        "Measured in " + timing.inWords() + ". " + disturbance() + "\n",
        "### Targets\n\n" + targets(),
        "### Where a peer is as good or better\n\n" + rivals(),
        "### Time\n\nNanoseconds per decision and thread: the median (and the spread) of rounds.\n",
        nanos().toString(),
        "### Memory\n\nBytes allocated per decision; bytes of heap per key at a million keys.\n",
        memory().toString(),
        "### Settings\n\n" + settings());
  }

  private String disturbance() {
    MedianAndRange disturbed = measured.disturbed();
    return "Other programs used %s %% of the processors in the median fork, %s %% in the worst."
        .formatted(
            ReportNumbers.whole(100 * disturbed.median()),
            ReportNumbers.whole(100 * disturbed.most()));
  }

  private MarkdownTable targets() {
    MarkdownTable table = MarkdownTable.ofText(List.of("", "target", "measured", ""));
    for (PerformanceTarget target : new InProcessTargets(measured).all()) {
      table.row(List.of(target.number(), target.promise(), target.measured(), target.verdict()));
    }
    return table;
  }

  private String rivals() {
    List<String> sentences = new EqualPeers(measured).sentences();
    if (sentences.isEmpty()) {
      return "Nowhere in this run.\n";
    }
    return sentences.stream().map(sentence -> "- " + sentence + "\n").collect(Collectors.joining());
  }

  private MarkdownTable nanos() {
    Stream<String> titles =
        Arrays.stream(InProcessWorkload.values()).map(workload -> workload.title);
    MarkdownTable table = MarkdownTable.ofNumbers(Stream.concat(Stream.of(""), titles).toList());
    for (InProcessContender contender : InProcessContender.values()) {
      List<String> cells = new ArrayList<>(List.of(contender.title));
      for (InProcessWorkload workload : InProcessWorkload.values()) {
        cells.add(ReportNumbers.withSpread(measured.nanos(workload, contender)));
      }
      table.row(cells);
    }
    return table;
  }

  private MarkdownTable memory() {
    MarkdownTable table =
        MarkdownTable.ofNumbers(List.of("", "B/op, admitted", "B/op, denied", "B/key"));
    for (InProcessContender contender : InProcessContender.values()) {
      table.row(
          List.of(
              contender.title,
              ReportNumbers.whole(measured.bytes(InProcessWorkload.HOT_KEY, contender).median()),
              ReportNumbers.whole(measured.bytes(InProcessWorkload.DENIED, contender).median()),
              ReportNumbers.whole(measured.bytesPerKey(contender))));
    }
    return table;
  }

  private static MarkdownTable settings() {
    MarkdownTable table = MarkdownTable.ofText(List.of("", "setting"));
    for (InProcessContender contender : InProcessContender.values()) {
      table.row(List.of(contender.title, contender.library().setting()));
    }
    return table;
  }

  /** Says plainly where another library is as good as Weir's token bucket, or better. */
  static final class EqualPeers {
    private final InProcessMeasurements measured;

    EqualPeers(InProcessMeasurements measured) {
      this.measured = measured;
    }

    List<String> sentences() {
      List<String> sentences = new ArrayList<>();
      for (InProcessWorkload workload : InProcessWorkload.values()) {
        for (InProcessContender peer : InProcessContender.PEERS) {
          double ratio = measured.ratio(workload, peer, WEIR_TOKEN_BUCKET).median();
          if (ratio < InProcessTargets.LEVEL) {
            sentences.add(sentence(workload.title, peer.title, ratio));
          }
        }
      }
      return sentences;
    }

    /** The ratio is the peer's time to Weir's. */
    static String sentence(String workload, String peer, double ratio) {
      String standing =
          ratio * InProcessTargets.LEVEL < 1 ? "is quicker than Weir" : "is level with Weir";
      return "%s: %s %s (%s x its time)"
          .formatted(workload, peer, standing, ReportNumbers.ratio(ratio));
    }
  }
}
