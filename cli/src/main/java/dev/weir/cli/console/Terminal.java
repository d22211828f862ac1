package dev.weir.cli.console;

import java.io.Console;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the terminal can display.
 *
 * @param live whether lines can be drawn over; false on a pipe
 * @param colour whether colours are understood and wanted
 */
public record Terminal(boolean live, boolean colour) {
  /** A pipe, a file, or anything that shows escape codes as they are. */
  public static final Terminal PLAIN = new Terminal(false, false);

  public static Terminal detect() {
    return of(interactive(System.console()), System.getenv());
  }

  /** NO_COLOR counts when it is not empty: see no-color.org. */
  static Terminal of(boolean interactive, Map<String, String> environment) {
    boolean live = interactive && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    return new Terminal(live, live && environment.getOrDefault("NO_COLOR", "").isEmpty());
  }

  /** From Java 22 on a pipe may have a console too, and only isTerminal() tells them apart. */
  private static boolean interactive(@Nullable Console console) {
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException before22) {
      return true;
    }
  }
}
