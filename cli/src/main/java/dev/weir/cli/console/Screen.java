package dev.weir.cli.console;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/**
 * Writes lines, and pictures that change in place.
 *
 * <p>An animated screen draws each state of a picture over the one before and hides the cursor
 * meanwhile; it comes back on {@link #close}, and also when the process is interrupted. A still
 * screen prints only the last state and never pauses.
 */
public final class Screen implements AutoCloseable {
  private static final String HIDE_CURSOR = "\033[?25l";
  private static final String SHOW_CURSOR = "\033[?25h";
  private static final String CLEAR_TO_END_OF_LINE = "\033[K";
  // A line too long for the terminal is cut while drawing: wrapped, it would shift the picture.
  private static final String WRAP_OFF = "\033[?7l";
  private static final String WRAP_ON = "\033[?7h";

  private final PrintWriter out;
  private final boolean animated;
  private final Thread onInterrupt = new Thread(() -> restore("\n" + SHOW_CURSOR));
  private List<String> picture = List.of();
  private boolean restored;

  public Screen(PrintWriter out, boolean animated) {
    this.out = out;
    this.animated = animated;
    if (animated) {
      Runtime.getRuntime().addShutdownHook(onInterrupt);
      write(HIDE_CURSOR);
    }
  }

  public void line(String text) {
    write(text + "\n");
  }

  /** Shows the next state of the current picture. */
  public void draw(List<String> lines) {
    if (animated) {
      write(over(picture.size(), lines));
    }
    picture = lines;
  }

  /** Leaves the current picture as it is; what follows goes below it. */
  public void keep() {
    if (!animated) {
      picture.forEach(line -> line(line.stripTrailing()));
    }
    picture = List.of();
  }

  /** Pauses for the reader; not on a still screen. */
  public void pause(Duration pause) throws InterruptedException {
    if (animated) {
      Thread.sleep(pause.toMillis());
    }
  }

  @Override
  public void close() {
    if (animated) {
      restore(SHOW_CURSOR);
      Runtime.getRuntime().removeShutdownHook(onInterrupt);
    }
  }

  private static String over(int height, List<String> lines) {
    StringBuilder text = new StringBuilder(WRAP_OFF);
    if (height > 0) {
      text.append("\033[").append(height).append('A');
    }
    lines.forEach(line -> text.append(line).append(CLEAR_TO_END_OF_LINE).append('\n'));
    return text.append(WRAP_ON).toString();
  }

  /** In one piece, so that an interrupt never falls into the middle of an escape code. */
  private synchronized void write(String text) {
    if (!restored) {
      out.print(text);
      out.flush();
    }
  }

  private synchronized void restore(String lastWords) {
    write(lastWords);
    restored = true; // later output of the interrupted thread would disturb the prompt
  }
}
