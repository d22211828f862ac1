package dev.weir.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws what lanes did around one instant, each request at its own place.
 *
 * @param edgeMicros the instant in the middle, marked by a line just before it
 * @param columnMicros how much time a column covers; at most one request falls into it
 */
record TimelineChart(DemoSymbols symbols, long edgeMicros, long columnMicros) {
  private static final int HALF = 30;
  private static final int WIDTH = 2 * HALF;
  private static final String MARGIN = " ".repeat(17);

  List<String> draw(List<ObservedLimiter> lanes) {
    List<String> lines = new ArrayList<>();
    lines.add(labels());
    lines.add(MARGIN + "├" + "─".repeat(HALF - 2) + "┼" + "─".repeat(HALF - 1) + "┤");
    lanes.forEach(
        lane -> lines.add(String.format(Locale.ROOT, "   %-14s", lane.name()) + row(lane)));
    return lines;
  }

  private String labels() {
    String left = seconds(startMicros());
    String middle = seconds(edgeMicros);
    String right = seconds(startMicros() + WIDTH * columnMicros);
    int gap = (WIDTH - left.length() - middle.length() - right.length()) / 2;
    return MARGIN + left + " ".repeat(gap) + middle + " ".repeat(gap) + right;
  }

  private String row(ObservedLimiter lane) {
    StringBuilder row = new StringBuilder();
    for (int column = 0; column < WIDTH; column++) {
      row.append(column == HALF - 1 ? "│" : mark(lane, startMicros() + column * columnMicros));
    }
    return row.toString();
  }

  private String mark(ObservedLimiter lane, long fromMicros) {
    if (lane.admittedBetween(fromMicros, fromMicros + columnMicros) > 0) {
      return symbols.admitted();
    }
    return lane.deniedBetween(fromMicros, fromMicros + columnMicros) > 0 ? symbols.denied() : " ";
  }

  private long startMicros() {
    return edgeMicros - HALF * columnMicros;
  }

  private static String seconds(long micros) {
    return String.format(Locale.ROOT, "%.2f s", micros / 1e6);
  }
}
