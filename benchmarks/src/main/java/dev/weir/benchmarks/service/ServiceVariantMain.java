package dev.weir.benchmarks.service;

import java.io.IOException;

/** Serves one thing in a JVM of its own. */
final class ServiceVariantMain {
  private ServiceVariantMain() {}

  public static void main(String[] arguments) throws IOException {
    Serving.untilInputEnds(ServiceVariant.valueOf(arguments[0])::start);
  }
}
