package dev.weir.cli.simulate.report;

import dev.weir.cli.console.HumanFormat;
import dev.weir.cli.simulate.replay.LimitAdvice;
import dev.weir.cli.simulate.replay.LimitStatistics;
import dev.weir.cli.simulate.replay.ReplayStatistics;
import dev.weir.cli.simulate.replay.TopKeys;
import dev.weir.cli.simulate.replay.TopKeys.Count;
import dev.weir.internal.text.PrintableText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The statistics as one self-contained HTML file: no script, no font, no network. */
public final class HtmlReport {
  private static final int TOP = 20;

  private final ReplayStatistics statistics;
  private final HtmlWriter out = new HtmlWriter();

  private HtmlReport(ReplayStatistics statistics) {
    this.statistics = statistics;
  }

  /**
   * Writes it.
   *
   * @param compared whether there was a candidate
   */
  public static String of(ReplayStatistics statistics, boolean compared) {
    HtmlReport report = new HtmlReport(statistics);
    report.start();
    report.overTime();
    report.limits();
    report.keys("Who is hit", "No request was denied.", statistics.denied());
    if (compared) {
      report.sides();
    }
    statistics.inexact().forEach(note -> report.out.element("p", note));
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
        HumanFormat.count(statistics.requests())
            + " requests, of which "
            + HumanFormat.count(statistics.denials())
            + " would have been denied: "
            + HumanFormat.percent(statistics.denials(), statistics.requests())
            + ". No limit applied to "
            + HumanFormat.count(statistics.unlimited())
            + ".");
  }

  private void overTime() {
    out.element("h2", "Over time").raw("<figure>\n");
    SvgCharts.overTime(statistics.timeline(), out);
    out.raw("<figcaption>Times are UTC. <span class=\"swatch allowed\"></span>allowed");
    out.raw("<span class=\"swatch denied\"></span>denied</figcaption>\n</figure>\n");
  }

  private void limits() {
    out.element("h2", "Limits, and advice");
    out.raw("<p class=\"note\">The peak of a key is the smallest number that would have let all");
    out.raw(" its requests pass. Keys to the right of the line were denied at times.</p>\n");
    for (LimitStatistics limit : statistics.limits()) {
      out.element("h3", limit.name() + ": " + limit.limit());
      out.element(
          "p",
          HumanFormat.count(limit.asked())
              + " asked, "
              + HumanFormat.count(limit.denied())
              + " denied");
      if (!limit.distribution().isEmpty()) {
        out.raw("<figure>\n");
        SvgCharts.peaks(limit, out);
        out.raw(
            "<figcaption>Keys by their peak. Their number is drawn as its logarithm, and wide ranges are too.</figcaption>");
        out.raw("</figure>\n");
        advice(limit);
      }
    }
  }

  private void advice(LimitStatistics limit) {
    out.head("To pass all requests of", "choose", "which costs");
    for (LimitAdvice advice : limit.advice()) {
      out.row(
          List.of(
              advice.part().equals("all") ? "all keys" : advice.part() + " of the keys",
              limit.proposal(advice.number()),
              SummaryText.cost(limit, advice)));
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
              "@" + PrintableText.of(count.who().key()),
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
        HumanFormat.count(statistics.denialsAfter())
            + " denied instead of "
            + HumanFormat.count(statistics.denials())
            + ": "
            + HumanFormat.count(statistics.nowDenied())
            + " newly denied, "
            + HumanFormat.count(statistics.nowAllowed())
            + " newly allowed.");
    keys("Newly denied", "Nobody is newly denied.", statistics.newlyDenied());
    keys("Newly allowed", "Nobody is newly allowed.", statistics.newlyAllowed());
  }

  private static String style() {
    try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
