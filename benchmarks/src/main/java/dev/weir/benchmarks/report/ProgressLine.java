package dev.weir.benchmarks.report;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * One line on a terminal that shows what is running and how long it will take; otherwise nothing.
 */
public final class ProgressLine {
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintStream out;
  private final boolean visible;
  private final int steps;
  private final LongSupplier nanoTime;
  private final long start;
  private int begun;

  public ProgressLine(PrintStream out, boolean visible, int steps, LongSupplier nanoTime) {
    this.out = out;
    this.visible = visible;
    this.steps = steps;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  public void next(String what, String who) {
    show("%d/%d  %s: %s%s".formatted(begun + 1, steps, what, who, timeLeft()));
    begun++;
  }

  public void end() {
    show("");
  }

  private void show(String line) {
    if (visible) {
      out.print(CLEAR_LINE + line);
      out.flush();
    }
  }

  private String timeLeft() {
    if (begun == 0) {
      return "";
    }
    long perStep = (nanoTime.getAsLong() - start) / begun;
    Duration left = Duration.ofNanos(perStep * (steps - begun));
    return ", %d:%02d left".formatted(left.toMinutes(), left.toSecondsPart());
  }
}
