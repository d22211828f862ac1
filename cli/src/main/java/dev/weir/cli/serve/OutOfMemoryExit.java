package dev.weir.cli.serve;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Ends the process when it is out of memory. A thread that gets the error dies or abandons its
 * work, while the others go on and the port still listens. Only a restart helps, and a supervisor
 * restarts a process that has ended.
 *
 * <p>{@code -XX:+ExitOnOutOfMemoryError} does the same earlier and more reliably; this class is for
 * processes started without it. It checks uncaught exceptions and logged ones. Netty has a limit of
 * its own for memory outside the heap, and an error of its own, from which it may recover: that one
 * ends the process if it goes on for ten seconds.
 */
final class OutOfMemoryExit {
  /** As with the flag of the JVM. */
  private static final int EXIT_CODE = 3;

  private static final int MAX_CAUSES = 10;

  private static final RepeatedFailure OUTSIDE_HEAP = new RepeatedFailure(Duration.ofSeconds(10));

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
    for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
      if (cause instanceof OutOfMemoryError error && isFinal(error)) {
        System.err.write(MESSAGE, 0, MESSAGE.length);
        System.err.flush();
        Runtime.getRuntime().halt(EXIT_CODE);
      }
      cause = cause.getCause();
    }
  }

  private static boolean isFinal(OutOfMemoryError error) {
    return error.getClass() == OutOfMemoryError.class || OUTSIDE_HEAP.goesOn(System.nanoTime());
  }
}
