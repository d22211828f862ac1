package dev.weir.cli.simulate;

import dev.weir.cli.console.Printable;
import dev.weir.cli.simulate.TopKeys.Count;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** A tally as one HTML file that needs nothing else: no script, no font, no network. */
final class HtmlReport {
  private static final int TOP = 20;

  private final ReplayStatistics tally;
  private final Html out = new Html();

  private HtmlReport(ReplayStatistics tally) {
    this.tally = tally;
  }

  /**
   * Writes it.
   *
   * @param compared whether there was a candidate
   */
  static String of(ReplayStatistics tally, boolean compared) {
    HtmlReport report = new HtmlReport(tally);
    report.start();
    report.overTime();
    report.limits();
    report.keys("Who is hit", "No request was denied.", tally.denied());
    if (compared) {
      report.sides();
    }
    report.out.raw("</body>\n</html>\n");
    return report.out.toString();
  }

  private void start() {
    out.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.raw("<title>Weir: what the limits would have done</title>\n<style>\n").raw(style());
    out.raw("</style>\n</head>\n<body>\n").element("h1", "What the limits would have done");
    out.element(
        "p",
        HumanFormat.count(tally.requests())
            + " requests, of which "
            + HumanFormat.count(tally.denials())
            + " would have been denied: "
            + HumanFormat.percent(tally.denials(), tally.requests())
            + ". No limit applied to "
            + HumanFormat.count(tally.unlimited())
            + ".");
  }

  private void overTime() {
    out.element("h2", "Over time").raw("<figure>\n");
    Plots.overTime(tally.timeline(), out);
    out.raw("<figcaption>Times are UTC. <span class=\"swatch allowed\"></span>allowed");
    out.raw("<span class=\"swatch denied\"></span>denied</figcaption>\n</figure>\n");
  }

  private void limits() {
    out.element("h2", "Limits, and advice");
    out.raw("<p class=\"note\">The peak of a key is the smallest number that would have let all");
    out.raw(" its requests pass. Keys to the right of the line were denied at times.</p>\n");
    for (LimitTally limit : tally.limits()) {
      out.element("h3", limit.name() + ": " + limit.limit());
      out.element(
          "p",
          HumanFormat.count(limit.asked())
              + " asked, "
              + HumanFormat.count(limit.denied())
              + " denied");
      if (!limit.distribution().isEmpty()) {
        out.raw("<figure>\n");
        Plots.peaks(limit, out);
        out.raw(
            "<figcaption>Keys by their peak. Their number is drawn as its logarithm, and wide ranges are too.</figcaption>");
        out.raw("</figure>\n");
        advice(limit);
      }
    }
  }

  private void advice(LimitTally limit) {
    out.head("To pass all requests of", "choose", "which costs");
    for (Advice advice : limit.advice()) {
      out.row(
          List.of(
              advice.part().equals("all") ? "all keys" : advice.part() + " of the keys",
              limit.proposal(advice.number()),
              Summary.cost(limit, advice)));
    }
    out.endTable();
  }

  private void keys(String title, String none, TopKeys keys) {
    out.element("h2", title);
    List<Count> top = keys.top(TOP);
    if (top.isEmpty()) {
      out.element("p", none);
      return;
    }
    out.head("Key", "Limit", "#Requests", "From", "To");
    for (Count count : top) {
      out.row(
          List.of(
              "@" + Printable.text(count.who().key()),
              count.who().limit(),
              "#" + HumanFormat.count(count.count()),
              HumanFormat.time(count.firstMicros(), 1),
              HumanFormat.time(count.lastMicros(), 1)));
    }
    out.endTable();
  }

  private void sides() {
    out.element("h2", "With the candidate");
    out.element(
        "p",
        HumanFormat.count(tally.denialsAfter())
            + " denied instead of "
            + HumanFormat.count(tally.denials())
            + ": "
            + HumanFormat.count(tally.nowDenied())
            + " newly denied, "
            + HumanFormat.count(tally.nowAllowed())
            + " newly allowed.");
    keys("Newly denied", "Nobody is newly denied.", tally.newlyDenied());
    keys("Newly allowed", "Nobody is newly allowed.", tally.newlyAllowed());
  }

  private static String style() {
    try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
