package dev.weir.cli.serve;

import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** How the service logs, on standard error: one line per change of state, never per request. */
enum LogFormat {
  TEXT(new TextLines()),
  JSON(new JsonLines());

  private final Formatter formatter;

  LogFormat(Formatter formatter) {
    this.formatter = formatter;
  }

  void install() {
    LogManager.getLogManager().reset();
    Handler handler = new ConsoleHandler();
    handler.setFormatter(formatter);
    handler.setFilter(new LogThrottle(() -> System.nanoTime() / 1_000_000));
    Logger root = Logger.getLogger("");
    root.addHandler(handler);
    root.setLevel(Level.INFO);
  }
}
