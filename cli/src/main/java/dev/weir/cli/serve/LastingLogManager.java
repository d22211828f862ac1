package dev.weir.cli.serve;

import java.util.logging.LogManager;

/**
 * Goes on logging while the process stops. The JDK's own manager removes all handlers as soon as a
 * signal arrives, and what is logged while the service drains and stops would be lost.
 *
 * <p>Public because the JDK creates it by name.
 */
public final class LastingLogManager extends LogManager {
  private static final String PROPERTY = "java.util.logging.manager";

  /** Has an effect only before anything was logged. */
  static void install() {
    System.setProperty(PROPERTY, LastingLogManager.class.getName());
  }

  /** Called by the JDK at the end of the process; nothing else in this program resets. */
  @Override
  public void reset() {}
}
