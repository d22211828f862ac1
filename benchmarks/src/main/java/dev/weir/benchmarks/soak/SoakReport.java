package dev.weir.benchmarks.soak;

import dev.weir.benchmarks.report.MarkdownTable;
import dev.weir.benchmarks.soak.AnswerStatistics.WindowCount;
import dev.weir.benchmarks.soak.AnswerStatistics.WindowRange;
import dev.weir.benchmarks.soak.CheckAnswer.RequestKind;
import dev.weir.benchmarks.soak.Disturbances.DisturbanceLog;
import dev.weir.benchmarks.soak.Disturbances.DisturbanceTimeline;
import dev.weir.benchmarks.soak.ServiceInstance.Vitals;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** What was seen, as a table. */
final class SoakReport {
  private static final double MICROS_PER_MILLI = 1000;
  private static final long MEBIBYTE = 1 << 20;

  private final AnswerStatistics statistics;
  private final DisturbanceTimeline timeline;
  private final WindowRange windows;
  private final DisturbanceLog log;

  SoakReport(
      AnswerStatistics statistics,
      DisturbanceTimeline timeline,
      WindowRange windows,
      DisturbanceLog log) {
    this.statistics = statistics;
    this.timeline = timeline;
    this.windows = windows;
    this.log = log;
  }

  String render() {
    MarkdownTable table = MarkdownTable.ofText(List.of("", "seen", "permitted"));
    addAnswers(table);
    for (RequestKind kind : RequestKind.values()) {
      if (kind.limited) {
        addWindows(kind, table);
      }
    }
    addTimes(table);
    addVitals(table);
    return table.toString();
  }

  private void addAnswers(MarkdownTable table) {
    String answers =
        "%d, %d of them without Redis".formatted(statistics.answers(), statistics.fallbacks());
    table.row(List.of("answers", answers, "those of the rule's policy"));
    String reloads =
        "%d rewritten, %d given over HTTP, %d faulty"
            .formatted(log.versions(), log.puts(), log.faultyVersions());
    table.row(List.of("versions of the rules", reloads, "all taken, the faulty refused"));
    long bound = DisturbanceTimeline.GRACE_MILLIS;
    table.row(
        List.of(
            "faults of Redis, longest until all instances ask it again",
            "%d, %d ms".formatted(log.faults(), statistics.recoveryMillis()),
            bound + " ms"));
  }

  private void addWindows(RequestKind kind, MarkdownTable table) {
    String name = kind.path().substring(1);
    String seen =
        "%d in %d windows without a fault; %d in the others"
            .formatted(
                most(kind, true, WindowCount::byStore),
                windows.wellIn(timeline),
                most(kind, false, WindowCount::byStore));
    String permitted = "exactly %1$d; %1$d for each time Redis was empty";
    table.row(
        List.of(
            name + ": most admitted by Redis per window",
            seen,
            permitted.formatted(SoakRules.LIMIT)));
    if (kind == RequestKind.LOCAL) {
      String shares = Long.toString(most(kind, false, WindowCount::byShare));
      String bound = Long.toString(SoakRules.LIMIT);
      table.row(List.of(name + ": most admitted from shares per window", shares, bound));
    }
  }

  private long most(RequestKind kind, boolean well, ToLongFunction<WindowCount> count) {
    long length = SoakRules.WINDOW_MILLIS;
    return statistics.windowsOf(kind).entrySet().stream()
        .filter(
            each ->
                timeline.wellBetween(each.getKey() * length, (each.getKey() + 1) * length) == well)
        .mapToLong(each -> count.applyAsLong(each.getValue()))
        .max()
        .orElse(0);
  }

  private void addTimes(MarkdownTable table) {
    String permitted = "longest %d ms".formatted(log.longestAnswerMillis());
    table.row(List.of("answers while all was well", times(statistics.wellMicros()), permitted));
    table.row(List.of("answers around faults", times(statistics.disturbedMicros()), permitted));
    table.row(List.of("longest stall of the machine", log.stallMillis() + " ms", "any"));
  }

  private static String times(Histogram micros) {
    return String.format(
        Locale.ROOT,
        "p50 %.1f ms, p99 %.1f ms, longest %.0f ms",
        micros.getValueAtPercentile(50) / MICROS_PER_MILLI,
        micros.getValueAtPercentile(99) / MICROS_PER_MILLI,
        micros.getMaxValue() / MICROS_PER_MILLI);
  }

  private void addVitals(MarkdownTable table) {
    String growth = "%d MiB more".formatted(SoakVerdict.GROWTH_BYTES / MEBIBYTE);
    table.row(
        List.of("heap, early and last", each(v -> v.heapBytes() / MEBIBYTE) + " MiB", growth));
    table.row(List.of("threads, early and last", each(Vitals::threads), "4 more"));
    table.row(List.of("open files, early and last", each(Vitals::openFiles), "8 more"));
    table.row(List.of("requests in flight, early and last", each(Vitals::inFlight), "0 at last"));
  }

  private String each(ToLongFunction<Vitals> value) {
    return log.vitals().stream()
        .map(
            one ->
                "%d to %d"
                    .formatted(
                        value.applyAsLong(Vitals.baseline(one)),
                        value.applyAsLong(one.get(one.size() - 1))))
        .collect(Collectors.joining(", "));
  }
}
