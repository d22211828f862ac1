package dev.weir.benchmarks.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/**
 * Serves one thing in a JVM of its own: prints its port, then the heap in use for every line that
 * it is sent, and ends with its input.
 */
final class ServedMain {
  private static final int COLLECTIONS = 4;

  private ServedMain() {}

  public static void main(String[] arguments) throws IOException {
    System.out.println(start(Served.valueOf(arguments[0])));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (lines.readLine() != null) {
      System.out.println(usedBytes());
    }
    System.exit(0);
  }

  /** What has started already would keep a process alive that has failed. */
  private static int start(Served served) throws IOException {
    try {
      return served.start();
    } catch (RuntimeException failed) {
      failed.printStackTrace();
      System.exit(1);
      throw failed;
    }
  }

  private static long usedBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
