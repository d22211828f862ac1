package dev.weir.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** Groups of horizontal bars, each group on a scale of its own. Not safe for many threads. */
public final class BarChart {
  private static final int WIDTH = 764;
  private static final int LABELS = 210;
  private static final int VALUES = 90;
  private static final int ROW = 22;
  private static final int BAR = 14;
  private static final int HEAD = 34;
  private static final int CUT = 10;

  private final String title;
  private final DoubleFunction<String> format;
  private final List<Group> groups = new ArrayList<>();
  private boolean cut;

  /**
   * @param own whether it is ours, and stands out
   */
  public record Bar(String label, double value, boolean own) {}

  private record Group(String title, List<Bar> bars) {
    double largest(boolean cut) {
      double[] sorted = bars.stream().mapToDouble(Bar::value).sorted().toArray();
      double most = cut ? CUT * sorted[sorted.length / 2] : Double.MAX_VALUE;
      return Arrays.stream(sorted).filter(value -> value <= most).max().orElse(1);
    }
  }

  /**
   * @param format how a value is written behind its bar
   */
  public BarChart(String title, DoubleFunction<String> format) {
    this.title = title;
    this.format = format;
  }

  /** Cuts bars of more than ten times the middle one, which would leave nothing of the others. */
  public BarChart cutLongBars() {
    cut = true;
    return this;
  }

  public BarChart group(String groupTitle, List<Bar> bars) {
    groups.add(new Group(groupTitle, List.copyOf(bars)));
    return this;
  }

  public String render() {
    SvgDrawing svg = new SvgDrawing(title, description());
    svg.text(20, 28, "head", title);
    int y = 40;
    for (Group group : groups) {
      svg.text(20, y + 20, "small", group.title);
      y += HEAD;
      for (Bar bar : group.bars) {
        draw(svg, y, bar, group.largest(cut));
        y += ROW;
      }
    }
    return svg.render(WIDTH, y + 14);
  }

  private void draw(SvgDrawing svg, int y, Bar bar, double largest) {
    double share = Math.min(1, bar.value / largest);
    double length = Math.max(1, share * (WIDTH - LABELS - VALUES));
    svg.text(LABELS - 10, y + BAR - 2, "end", bar.label);
    svg.rect(LABELS, y, length, BAR, bar.own ? "own" : "bar");
    svg.text(
        LABELS + length + 8,
        y + BAR - 2,
        "",
        format.apply(bar.value) + (bar.value > largest ? " (cut)" : ""));
  }

  private String description() {
    return groups.stream()
        .map(
            group ->
                group.bars.stream()
                    .map(bar -> bar.label + " " + format.apply(bar.value))
                    .collect(Collectors.joining(", ", group.title + ": ", ".")))
        .collect(Collectors.joining(" "));
  }
}
