package dev.weir.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A table in Markdown, and how numbers are written in it. The first column is text, the others are
 * numbers unless said otherwise.
 */
public final class MarkdownTable {
  private final List<String> lines = new ArrayList<>();
  private final int columns;

  private MarkdownTable(List<String> head, String otherColumns) {
    columns = head.size();
    addRow(head);
    lines.add("|---|" + otherColumns.repeat(columns - 1));
  }

  public static MarkdownTable ofNumbers(List<String> head) {
    return new MarkdownTable(head, "---:|");
  }

  public static MarkdownTable ofText(List<String> head) {
    return new MarkdownTable(head, "---|");
  }

  public MarkdownTable row(List<String> cells) {
    if (cells.size() != columns) {
      throw new IllegalArgumentException(
          "cells must be " + columns + " as in the head, was " + cells.size());
    }
    addRow(cells);
    return this;
  }

  /** Three digits are more than the machine repeats. */
  public static String number(double value) {
    return String.format(Locale.ROOT, value < 99.95 ? "%.1f" : "%.0f", value);
  }

  public static String whole(double value) {
    return String.valueOf(Math.round(value));
  }

  public static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private void addRow(List<String> cells) {
    lines.add("| " + String.join(" | ", cells) + " |");
  }

  @Override
  public String toString() {
    return String.join("\n", lines) + "\n";
  }
}
