package dev.weir.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** A table in Markdown. The first column is text, the others are numbers unless said otherwise. */
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

  private void addRow(List<String> cells) {
    lines.add("| " + String.join(" | ", cells) + " |");
  }

  @Override
  public String toString() {
    return String.join("\n", lines) + "\n";
  }
}
