package dev.weir.cli.simulate;

import dev.weir.cli.console.Printable;
import dev.weir.cli.simulate.Timeline.Column;
import dev.weir.cli.simulate.TopKeys.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A tally in words, for a terminal. */
final class Summary {
  private static final int TOP = 10;
  private static final int ROWS = 28;
  private static final int BAR = 40;
  private static final int LONGEST_KEY = 60;

  private final ReplayStatistics tally;
  private final List<String> lines = new ArrayList<>();

  private Summary(ReplayStatistics tally) {
    this.tally = tally;
  }

  /**
   * Writes it.
   *
   * @param compared whether there was a candidate
   */
  static List<String> of(ReplayStatistics tally, boolean compared) {
    Summary summary = new Summary(tally);
    summary.totals();
    summary.limits();
    summary.keys("Denied most", tally.denied());
    if (compared) {
      summary.sides();
    }
    summary.time();
    summary.advice();
    return summary.lines;
  }

  private void totals() {
    long requests = tally.requests();
    add("requests %12s", HumanFormat.count(requests));
    add("allowed  %12s", HumanFormat.count(requests - tally.denials()));
    add("denied   %12s  %s", HumanFormat.count(tally.denials()), share(tally.denials()));
    if (tally.unlimited() > 0) {
      add("no limit %12s  %s", HumanFormat.count(tally.unlimited()), share(tally.unlimited()));
    }
  }

  private String share(long part) {
    return HumanFormat.percent(part, tally.requests());
  }

  private void limits() {
    if (tally.limits().isEmpty()) {
      return;
    }
    heading("By limit");
    int width = tally.limits().stream().mapToInt(limit -> title(limit).length()).max().orElse(0);
    for (LimitTally limit : tally.limits()) {
      add(
          "  %-" + width + "s %12s asked %12s denied",
          title(limit),
          HumanFormat.count(limit.asked()),
          HumanFormat.count(limit.denied()));
    }
  }

  private static String title(LimitTally limit) {
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
    String key = Printable.text(count.who().key());
    return key.length() <= LONGEST_KEY ? key : key.substring(0, LONGEST_KEY) + "…";
  }

  private void sides() {
    heading("With the candidate");
    add(
        "  denied         %12s  %s",
        HumanFormat.count(tally.denialsAfter()), share(tally.denialsAfter()));
    add("  newly denied   %12s", HumanFormat.count(tally.nowDenied()));
    add("  newly allowed  %12s", HumanFormat.count(tally.nowAllowed()));
    keys("Newly denied most", tally.newlyDenied());
    keys("Newly allowed most", tally.newlyAllowed());
  }

  private void time() {
    Timeline time = tally.timeline().narrowed(ROWS);
    long step = time.widthMicros();
    long most = time.columns().stream().mapToLong(column -> column.requests).max().orElse(1);
    heading("Over time (UTC): requests, denied");
    for (Column column : time.columns()) {
      long denied = (column.denied * BAR + most - 1) / most;
      long allowed = Math.max(0, column.requests * BAR / most - denied);
      add(
          "  %s %12s %12s  %s%s",
          HumanFormat.time(column.index * step, step),
          HumanFormat.count(column.requests),
          HumanFormat.count(column.denied),
          "x".repeat((int) denied),
          "-".repeat((int) allowed));
    }
  }

  private void advice() {
    if (tally.limits().isEmpty()) {
      return;
    }
    heading("Advice: what would have passed every request of");
    for (LimitTally limit : tally.limits()) {
      add("  %s: %s", limit.name(), limit.limit());
      for (Advice advice : limit.advice()) {
        add(
            "    %-6s of the keys  %s  (%s)",
            advice.part(), limit.proposal(advice.number()), cost(limit, advice));
      }
    }
  }

  /** What a number costs: how much more a single key may use, and what for. */
  static String cost(LimitTally limit, Advice advice) {
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
