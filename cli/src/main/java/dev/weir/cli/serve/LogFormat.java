package dev.weir.cli.serve;

import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** How the service logs, on standard error: one line per change of state, never per request. */
enum LogFormat {
  TEXT(new TextLines()),
  JSON(new JsonLines());

  /**
   * Lettuce warns of every failed attempt to connect; our own log says once that Redis does not
   * answer. Kept in a field, because the JDK holds loggers weakly and would lose the level.
   */
  private static @Nullable Logger lettuce;

  private final Formatter formatter;

  LogFormat(Formatter formatter) {
    this.formatter = formatter;
  }

  void install() {
    // Before the class or its superclass is initialised, which reads the property.
    System.setProperty("java.util.logging.manager", ShutdownSafeLogging.class.getName());
    Logger root = Logger.getLogger("");
    for (Handler before : root.getHandlers()) {
      root.removeHandler(before);
    }
    Handler handler = new ConsoleHandler();
    handler.setFormatter(formatter);
    handler.setFilter(new LogThrottle(() -> System.nanoTime() / 1_000_000));
    root.addHandler(handler);
    root.setLevel(Level.INFO);
    lettuce = Logger.getLogger("io.lettuce");
    lettuce.setLevel(Level.SEVERE);
  }
}
