package dev.weir.cli.simulate.report;

import dev.weir.cli.console.HumanFormat;
import dev.weir.cli.simulate.replay.LimitStatistics;
import dev.weir.cli.simulate.replay.PeakDemand.Share;
import dev.weir.cli.simulate.replay.TrafficHistogram;
import dev.weir.cli.simulate.replay.TrafficHistogram.Column;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The pictures of a report, as SVG inside HTML. */
final class SvgCharts {
  private static final int WIDTH = 800;
  private static final int LEFT = 60;
  private static final int TOP = 20;
  private static final int BASE = 200;
  private static final int HEIGHT = 230;
  private static final int COLUMNS = 168;
  private static final int MAX_BINS = 48;

  private SvgCharts() {}

  /** Requests as bars, the denied part of each at its foot. */
  static void overTime(TrafficHistogram timeline, HtmlWriter out) {
    TrafficHistogram time = timeline.narrowed(COLUMNS);
    List<Column> columns = time.columns();
    long most = columns.stream().mapToLong(column -> column.requests()).max().orElse(1);
    long first = columns.get(0).index();
    double step = (double) (WIDTH - LEFT) / Math.max(1, time.span());
    open(out, "Requests and denials over time", HumanFormat.count(most));
    for (Column column : columns) {
      double x = LEFT + (column.index() - first) * step;
      double all = (double) (BASE - TOP) * column.requests() / most;
      double denied = (double) (BASE - TOP) * column.denied() / most;
      out.raw("<g><title>").text(title(column, time.widthMicros())).raw("</title>");
      bar(out, "allowed", x, step, BASE - all, all - denied);
      bar(out, "denied", x, step, BASE - denied, denied);
      out.raw("</g>\n");
    }
    timeLabels(time, first, out);
    out.raw("</svg>\n");
  }

  private static String title(Column column, long step) {
    return HumanFormat.time(column.index() * step, step)
        + ": "
        + HumanFormat.count(column.requests())
        + " requests, "
        + HumanFormat.count(column.denied())
        + " denied";
  }

  private static void timeLabels(TrafficHistogram time, long first, HtmlWriter out) {
    long step = time.widthMicros();
    long last = first + time.span() - 1;
    label(out, LEFT, "start", HumanFormat.time(first * step, step));
    if (last > first) {
      label(out, (LEFT + WIDTH) / 2.0, "middle", HumanFormat.time((first + last) / 2 * step, step));
      label(out, WIDTH, "end", HumanFormat.time(last * step, step));
    }
  }

  /** Keys by what they needed at their peak, and where the limit cuts. */
  static void peaks(LimitStatistics limit, HtmlWriter out) {
    SortedMap<Long, Share> distribution = limit.distribution();
    long largest = Math.max(distribution.lastKey(), limit.number());
    int bins = (int) Math.min(MAX_BINS, largest);
    long[] keys = new long[bins];
    for (Map.Entry<Long, Share> entry : distribution.entrySet()) {
      keys[bin(entry.getKey(), largest)] += entry.getValue().keys();
    }
    open(out, "Keys by their peak, for " + limit.name(), HumanFormat.count(most(keys)));
    peakBars(keys, bin(limit.number(), largest), out);
    limitLine(limit, LEFT + (bin(limit.number(), largest) + 1) * step(bins), out);
    label(out, LEFT, "start", "1");
    label(out, WIDTH, "end", HumanFormat.count(largest));
    out.raw("</svg>\n");
  }

  /** One key must still be seen beside thousands, so heights are logarithms. */
  private static void peakBars(long[] keys, int lastAllowed, HtmlWriter out) {
    double step = step(keys.length);
    for (int bin = 0; bin < keys.length; bin++) {
      double height = (BASE - TOP) * Math.log1p(keys[bin]) / Math.log1p(most(keys));
      out.raw("<g><title>").text(HumanFormat.count(keys[bin]) + " keys").raw("</title>");
      String kind = bin <= lastAllowed ? "allowed" : "denied";
      bar(out, kind, LEFT + bin * step, step, BASE - height, height);
      out.raw("</g>\n");
    }
  }

  private static long most(long[] keys) {
    return Math.max(1, Arrays.stream(keys).max().orElse(1));
  }

  private static double step(int bins) {
    return (double) (WIDTH - LEFT) / bins;
  }

  /** Each need has a bin of its own while there are few, else they grow with the need. */
  private static int bin(long need, long largest) {
    if (largest <= MAX_BINS) {
      return (int) Math.max(0, need - 1);
    }
    return (int) (Math.log(Math.max(1, need)) / Math.log(largest) * (MAX_BINS - 1));
  }

  private static void limitLine(LimitStatistics limit, double x, HtmlWriter out) {
    out.raw("<line class=\"limit\" x1=\"%.1f\" x2=\"%.1f\" y1=\"8\" y2=\"%d\"/>", x, x, BASE);
    boolean right = x > WIDTH * 0.6;
    out.raw(
        "<text class=\"limit-name\" x=\"%.1f\" y=\"16\" text-anchor=\"%s\">",
        right ? x - 6 : x + 6, right ? "end" : "start");
    out.text(limit.proposal(limit.number())).raw("</text>\n");
  }

  private static void open(HtmlWriter out, String name, String most) {
    out.raw("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT).text(name);
    out.raw(
        "\">\n<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>\n",
        LEFT, WIDTH, BASE, BASE);
    out.raw("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 8, TOP + 8).text(most);
    out.raw("</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"end\">0</text>\n", LEFT - 8, BASE);
  }

  private static void bar(
      HtmlWriter out, String kind, double x, double step, double y, double height) {
    if (height > 0) {
      out.raw(
          "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
          kind, x, y, Math.max(0.5, step * 0.9), height);
    }
  }

  private static void label(HtmlWriter out, double x, String anchor, String text) {
    out.raw("<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">", x, BASE + 20, anchor);
    out.text(text).raw("</text>\n");
  }
}
