package dev.weir.benchmarks.report;

import java.util.List;
import java.util.function.DoubleFunction;

/** Several measurements of one thing: the middle one, and how far they lie apart. */
public record MedianAndRange(double median, double least, double most) {

  /** Of an even number of values, the median is the mean of the middle two. */
  public static MedianAndRange of(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("values must not be empty");
    }
    List<Double> sorted = values.stream().sorted().toList();
    int size = sorted.size();
    double median = (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
    return new MedianAndRange(median, sorted.get(0), sorted.get(size - 1));
  }

  /** As a number: {@code 12.3 (11.0 to 14.2)}. */
  public String asNumber() {
    return text(MarkdownTable::number);
  }

  /** As a ratio: {@code 1.23 (1.10 to 1.42)}. */
  public String asRatio() {
    return text(MarkdownTable::ratio);
  }

  private String text(DoubleFunction<String> format) {
    return format.apply(median) + " (" + format.apply(least) + " to " + format.apply(most) + ")";
  }
}
