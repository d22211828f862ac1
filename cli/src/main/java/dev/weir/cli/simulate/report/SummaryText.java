package dev.weir.cli.simulate.report;

import dev.weir.cli.console.HumanFormat;
import dev.weir.cli.simulate.replay.LimitAdvice;
import dev.weir.cli.simulate.replay.LimitStatistics;
import dev.weir.cli.simulate.replay.ReplayStatistics;
import dev.weir.cli.simulate.replay.TopKeys;
import dev.weir.cli.simulate.replay.TopKeys.Count;
import dev.weir.cli.simulate.replay.TrafficHistogram;
import dev.weir.cli.simulate.replay.TrafficHistogram.Column;
import dev.weir.cli.simulate.replay.UnusedLimits.UnusedLimit;
import dev.weir.internal.text.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The statistics as text, for a terminal. */
public final class SummaryText {
  private static final int TOP = 10;
  private static final int ROWS = 28;
  private static final int BAR = 40;
  private static final int LONGEST_KEY = 60;

  private final ReplayStatistics statistics;
  private final List<String> lines = new ArrayList<>();

  private SummaryText(ReplayStatistics statistics) {
    this.statistics = statistics;
  }

  /**
   * Writes it.
   *
   * @param unused limits that no request reached
   * @param compared whether there was a candidate
   */
  public static List<String> of(
      ReplayStatistics statistics, List<UnusedLimit> unused, boolean compared) {
    SummaryText summary = new SummaryText(statistics);
    summary.totals();
    summary.limits(unused);
    summary.keys("Denied most", statistics.denied());
    if (compared) {
      summary.sides();
    }
    summary.time();
    summary.advice();
    summary.notes();
    return summary.lines;
  }

  private void totals() {
    long requests = statistics.requests();
    add("requests %12s", HumanFormat.count(requests));
    add("allowed  %12s", HumanFormat.count(requests - statistics.denials()));
    add("denied   %12s  %s", HumanFormat.count(statistics.denials()), share(statistics.denials()));
    if (statistics.unlimited() > 0) {
      add(
          "no limit %12s  %s",
          HumanFormat.count(statistics.unlimited()), share(statistics.unlimited()));
    }
  }

  private String share(long part) {
    return HumanFormat.percent(part, statistics.requests());
  }

  private void limits(List<UnusedLimit> unused) {
    if (statistics.limits().isEmpty() && unused.isEmpty()) {
      return;
    }
    heading("By limit");
    int width =
        Stream.concat(
                statistics.limits().stream().map(SummaryText::title),
                unused.stream().map(UnusedLimit::name))
            .mapToInt(String::length)
            .max()
            .orElse(0);
    for (LimitStatistics limit : statistics.limits()) {
      add(
          "  %-" + width + "s %12s asked %12s denied",
          title(limit),
          HumanFormat.count(limit.asked()),
          HumanFormat.count(limit.denied()));
    }
    for (UnusedLimit limit : unused) {
      add("  %-" + width + "s %12s asked: %s", limit.name(), "0", limit.reason());
    }
  }

  private static String title(LimitStatistics limit) {
    return limit.name() + ": " + limit.limit();
  }

  private void keys(String title, TopKeys keys) {
    List<Count> top = keys.top(TOP);
    if (!top.isEmpty()) {
      heading(title);
    }
    for (Count count : top) {
      add("  %12s  %s  %s", HumanFormat.count(count.count()), count.who().limit(), key(count));
    }
  }

  private static String key(Count count) {
    String key = PrintableText.of(count.who().key());
    return key.length() <= LONGEST_KEY ? key : key.substring(0, LONGEST_KEY) + "…";
  }

  private void sides() {
    heading("With the candidate");
    add(
        "  denied         %12s  %s",
        HumanFormat.count(statistics.denialsAfter()), share(statistics.denialsAfter()));
    add("  newly denied   %12s", HumanFormat.count(statistics.nowDenied()));
    add("  newly allowed  %12s", HumanFormat.count(statistics.nowAllowed()));
    keys("Newly denied most", statistics.newlyDenied());
    keys("Newly allowed most", statistics.newlyAllowed());
  }

  private void time() {
    TrafficHistogram time = statistics.timeline().narrowed(ROWS);
    long step = time.widthMicros();
    long most = time.columns().stream().mapToLong(column -> column.requests()).max().orElse(1);
    heading("Over time (UTC): requests, denied");
    for (Column column : time.columns()) {
      long denied = (column.denied() * BAR + most - 1) / most;
      long allowed = Math.max(0, column.requests() * BAR / most - denied);
      add(
          "  %s %12s %12s  %s%s",
          HumanFormat.time(column.index() * step, step),
          HumanFormat.count(column.requests()),
          HumanFormat.count(column.denied()),
          "x".repeat((int) denied),
          "-".repeat((int) allowed));
    }
  }

  private void advice() {
    if (statistics.limits().isEmpty()) {
      return;
    }
    heading("Advice: what would have passed every request of");
    for (LimitStatistics limit : statistics.limits()) {
      add("  %s: %s", limit.name(), limit.limit());
      for (LimitAdvice advice : limit.advice()) {
        add(
            "    %-6s of the keys  %s  (%s)",
            advice.part(), limit.proposal(advice.number()), cost(limit, advice));
      }
    }
  }

  private void notes() {
    if (!statistics.inexact().isEmpty()) {
      heading("Not exact");
      statistics.inexact().forEach(note -> add("  %s", note));
    }
  }

  /** What a number costs: how much more a single key may use, and what for. */
  static String cost(LimitStatistics limit, LimitAdvice advice) {
    if (advice.number() <= limit.number()) {
      return "today's is enough";
    }
    return String.format(
        Locale.ROOT,
        "%.1f times today's, spares %s of %s denials",
        advice.times(),
        HumanFormat.count(advice.spared()),
        HumanFormat.count(limit.denied()));
  }

  private void heading(String text) {
    lines.add("");
    lines.add(text);
  }

  private void add(String format, Object... parts) {
    lines.add(String.format(Locale.ROOT, format, parts).stripTrailing());
  }
}
