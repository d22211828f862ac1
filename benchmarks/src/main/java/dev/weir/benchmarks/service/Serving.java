package dev.weir.benchmarks.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/**
 * The life of a JVM that serves one thing: prints its port, then the heap in use for every line
 * that it is sent, and ends with its input.
 */
public final class Serving {
  private static final int COLLECTIONS = 4;

  private Serving() {}

  /** Starts to serve, for as long as the process lives; returns the port. */
  public interface Start {
    int start() throws IOException;
  }

  public static void untilInputEnds(Start start) throws IOException {
    System.out.println(port(start));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (lines.readLine() != null) {
      System.out.println(usedBytes());
    }
    System.exit(0);
  }

  /** What has started already would keep a process alive that has failed. */
  private static int port(Start start) throws IOException {
    try {
      return start.start();
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
