package dev.weir.benchmarks.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Lines over a few named places, on a logarithmic scale. Not safe for many threads. */
public final class LineChart {
  private static final int WIDTH = 764;
  private static final int HEIGHT = 420;
  private static final int LEFT = 64;
  private static final int RIGHT = 500;
  private static final int TOP = 56;
  private static final int BOTTOM = 370;
  private static final int LABEL_GAP = 17;

  private final String title;
  private final List<String> places;
  private final DoubleFunction<String> format;
  private final List<Line> lines = new ArrayList<>();

  private record Line(String label, List<Double> values, String style) {
    double last() {
      return values.get(values.size() - 1);
    }
  }

  public LineChart(String title, List<String> places, DoubleFunction<String> format) {
    this.title = title;
    this.places = List.copyOf(places);
    this.format = format;
  }

  /** The first line stands out. */
  public LineChart line(String label, List<Double> values) {
    lines.add(new Line(label, List.copyOf(values), "s" + lines.size()));
    return this;
  }

  public String render() {
    SvgDrawing svg = new SvgDrawing(title, description());
    svg.text(20, 28, "head", title);
    drawGrid(svg);
    for (Line line : lines) {
      svg.path(points(line), "line " + line.style);
    }
    drawLabels(svg);
    return svg.render(WIDTH, HEIGHT);
  }

  private void drawGrid(SvgDrawing svg) {
    for (int power = lowest(); power <= highest(); power++) {
      double y = y(Math.pow(10, power));
      svg.path(SvgDrawing.point(LEFT, y) + " " + SvgDrawing.point(RIGHT, y), "grid");
      svg.text(LEFT - 8, y + 4, "small end", format.apply(Math.pow(10, power)));
    }
    for (int i = 0; i < places.size(); i++) {
      svg.text(x(i), BOTTOM + 24, "small mid", places.get(i));
    }
  }

  /** Labels stand at the ends of their lines, moved down where they would overlap. */
  private void drawLabels(SvgDrawing svg) {
    double free = TOP;
    for (Line line : sorted()) {
      double end = y(line.last());
      double label = Math.max(end, free);
      svg.path(
          SvgDrawing.point(RIGHT, end) + " " + SvgDrawing.point(RIGHT + 14, label),
          "line " + line.style);
      svg.text(RIGHT + 20, label + 4, "", line.label + " " + format.apply(line.last()));
      free = label + LABEL_GAP;
    }
  }

  private List<Line> sorted() {
    return lines.stream().sorted(Comparator.comparing(Line::last).reversed()).toList();
  }

  private String points(Line line) {
    return IntStream.range(0, places.size())
        .mapToObj(i -> SvgDrawing.point(x(i), y(line.values.get(i))))
        .collect(Collectors.joining(" "));
  }

  private double x(int place) {
    return LEFT + (double) (RIGHT - LEFT) * place / Math.max(1, places.size() - 1);
  }

  private double y(double value) {
    double share = (Math.log10(value) - lowest()) / (highest() - lowest());
    return BOTTOM - share * (BOTTOM - TOP);
  }

  private int lowest() {
    return (int) Math.floor(Math.log10(values().min().orElse(1)));
  }

  private int highest() {
    return Math.max(lowest() + 1, (int) Math.ceil(Math.log10(values().max().orElse(1))));
  }

  private DoubleStream values() {
    return lines.stream().flatMap(line -> line.values.stream()).mapToDouble(v -> v);
  }

  private String description() {
    return lines.stream()
        .map(
            line ->
                IntStream.range(0, places.size())
                    .mapToObj(i -> format.apply(line.values.get(i)) + " with " + places.get(i))
                    .collect(Collectors.joining(", ", line.label + ": ", ".")))
        .collect(Collectors.joining(" "));
  }
}
