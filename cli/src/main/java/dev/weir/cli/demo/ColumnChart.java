package dev.weir.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws what a lane did as columns over time, one block per request, admitted below denied.
 *
 * @param tickMicros how much time a column covers
 * @param width in columns
 */
record ColumnChart(DemoSymbols symbols, long tickMicros, int width) {
  private static final String MARGIN = " ".repeat(18);
  private static final int COLUMNS_PER_SECOND = 10;

  /** The facts, each as wide as the others, beside the columns; as many rows as there are facts. */
  List<String> draw(ObservedLimiter lane, List<String> facts) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < facts.size(); i++) {
      rows.add("   " + facts.get(i) + " │" + row(lane, facts.size() - i));
    }
    return rows;
  }

  /** The blocks at one height, counted from 1 at the bottom. */
  private String row(ObservedLimiter lane, int height) {
    StringBuilder row = new StringBuilder();
    for (int tick = 0; tick < width; tick++) {
      row.append(block(lane, tick, height));
    }
    return row.toString();
  }

  private String block(ObservedLimiter lane, int tick, int height) {
    long from = tick * tickMicros;
    int admitted = lane.admittedBetween(from, from + tickMicros);
    int offered = admitted + lane.deniedBetween(from, from + tickMicros);
    if (height > offered) {
      return " ";
    }
    return height <= admitted ? symbols.admitted() : symbols.denied();
  }

  String axis() {
    return MARGIN + "└" + "┴─────────".repeat(width / COLUMNS_PER_SECOND).substring(1) + "┘";
  }

  String axisLabels() {
    StringBuilder labels = new StringBuilder(MARGIN);
    for (int second = 0; second < width / COLUMNS_PER_SECOND; second++) {
      labels.append(String.format(Locale.ROOT, "%-10s", second == 0 ? "0 s" : second));
    }
    return labels.append(width / COLUMNS_PER_SECOND).toString();
  }
}
