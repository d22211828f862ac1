package dev.weir.cli.serve;

import java.util.logging.LogManager;

/**
 * Goes on logging while the process stops. The JDK's own manager removes all handlers as soon as a
 * signal arrives, and what is logged while the service drains and stops would be lost.
 *
 * <p>Public because the JDK creates it by name.
 */
public final class ShutdownSafeLogging extends LogManager {
  /** Called by the JDK at the end of the process; nothing else in this program resets. */
  @Override
  public void reset() {}
}
