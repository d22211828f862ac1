package dev.weir.cli.serve;

import java.nio.charset.StandardCharsets;

/**
 * Ends the process when it is out of memory. A thread that gets the error dies or abandons its
 * work, while the others go on and the port still listens. Only a restart helps, and a supervisor
 * restarts a process that has ended.
 *
 * <p>{@code -XX:+ExitOnOutOfMemoryError} does the same earlier and more reliably; this class is for
 * processes started without it. It checks uncaught exceptions and logged ones.
 */
final class OutOfMemoryExit {
  /** As with the flag of the JVM. */
  private static final int EXIT_CODE = 3;

  private static final int MOST_CAUSES = 10;

  /** Made beforehand: there may be no memory for it later. */
  private static final byte[] MESSAGE =
      "weir: out of memory, so the process ends; give it a larger heap (-Xmx), or lower its bounds\n"
          .getBytes(StandardCharsets.UTF_8);

  private OutOfMemoryExit() {}

  static void install() {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          check(failure);
          if (before == null) {
            failure.printStackTrace();
          } else {
            before.uncaughtException(thread, failure);
          }
        });
  }

  /** Ends the process if the failure was caused by an OutOfMemoryError. */
  static void check(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
      if (cause.getClass()
          == OutOfMemoryError.class) { // not Netty's subclass for its own memory limits
        System.err.write(MESSAGE, 0, MESSAGE.length);
        System.err.flush();
        Runtime.getRuntime().halt(EXIT_CODE);
      }
      cause = cause.getCause();
    }
  }
}
