package dev.weir.benchmarks.service;

import java.io.IOException;

/** Serves one thing in a JVM of its own. */
final class ServedMain {
  private ServedMain() {}

  public static void main(String[] arguments) throws IOException {
    Serving.untilInputEnds(Served.valueOf(arguments[0])::start);
  }
}
