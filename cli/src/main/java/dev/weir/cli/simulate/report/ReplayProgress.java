package dev.weir.cli.simulate.report;

import dev.weir.cli.simulate.input.LogFiles;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.OptionalLong;

/** The progress of a replay, on one line of a terminal that is redrawn; or nothing. */
public final class ReplayProgress {
  private static final int LOOK_EVERY = 256;
  private static final long DRAW_NANOS = 200_000_000;
  private static final String CLEAR_LINE = "\r\033[K";

  private final PrintWriter out;
  private final boolean shown;
  private final long start = System.nanoTime();
  private long last = start;
  private boolean drawn;

  public ReplayProgress(PrintWriter out, boolean shown) {
    this.out = out;
    this.shown = shown;
  }

  public void at(LogFiles log) {
    long lines = log.lines();
    if (!shown || lines % LOOK_EVERY != 0 || System.nanoTime() - last < DRAW_NANOS) {
      return;
    }
    last = System.nanoTime();
    out.print(CLEAR_LINE + text(lines, (last - start) / 1e9, log.perMille()));
    out.flush();
    drawn = true;
  }

  /** 1,200,000 lines, 400,000 lines/s, 37 %, 5 s left. */
  static String text(long lines, double seconds, OptionalLong perMille) {
    String speed =
        String.format(Locale.ROOT, "%,d lines, %,d lines/s", lines, Math.round(lines / seconds));
    if (perMille.isEmpty() || perMille.getAsLong() == 0) {
      return speed;
    }
    long done = Math.min(1000, perMille.getAsLong());
    long left = Math.round(seconds * (1000 - done) / done);
    return speed + ", " + done / 10 + " %, " + left + " s left";
  }

  /** Leaves the line empty for what follows. */
  public void end() {
    if (drawn) {
      out.print(CLEAR_LINE);
      out.flush();
      drawn = false;
    }
  }
}
