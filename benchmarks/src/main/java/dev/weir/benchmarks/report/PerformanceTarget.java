package dev.weir.benchmarks.report;

import java.util.List;

/**
 * One number that was promised, and what was measured.
 *
 * @param number the target's number, such as P1
 * @param promise in words, with its bound
 * @param measured in words, with its spread
 * @param shortfall by which share the bound was missed; zero or less if it was met
 */
public record PerformanceTarget(String number, String promise, String measured, double shortfall) {

  public static PerformanceTarget atMost(
      String number, String promise, double bound, MedianAndRange ratio) {
    return new PerformanceTarget(number, promise, ratio.asRatio(), ratio.median() / bound - 1);
  }

  public static PerformanceTarget atLeast(
      String number, String promise, double bound, MedianAndRange ratio) {
    return new PerformanceTarget(number, promise, ratio.asRatio(), bound / ratio.median() - 1);
  }

  /** For whole bytes, where a fraction is what the measurement itself has left behind. */
  public static PerformanceTarget bytesAtMost(
      String number, String promise, long bound, double bytes) {
    long measured = Math.round(bytes);
    double above = (double) (measured - bound) / Math.max(1, bound);
    return new PerformanceTarget(number, promise, measured + " B", above);
  }

  /** One row per target. */
  public static MarkdownTable table(List<PerformanceTarget> targets) {
    MarkdownTable table = MarkdownTable.ofText(List.of("", "target", "measured", ""));
    for (PerformanceTarget target : targets) {
      table.row(List.of(target.number, target.promise, target.measured, target.verdict()));
    }
    return table;
  }

  public String verdict() {
    return shortfall <= 0 ? "met" : "missed by " + Math.max(1, Math.round(shortfall * 100)) + " %";
  }
}
