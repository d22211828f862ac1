package dev.weir.benchmarks.inprocess;

import dev.weir.benchmarks.inprocess.LimiterLibrary.InProcessContender;
import dev.weir.benchmarks.inprocess.LimiterLibrary.MeasuredLimiter;
import dev.weir.benchmarks.inprocess.LimiterLibrary.PermitSupply;
import dev.weir.benchmarks.inprocess.TryAcquire.Keys;
import dev.weir.benchmarks.report.ProbeProcess;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.List;

/** Runs {@link Probe} for one contender in a fresh JVM. */
final class HeapPerKey {
  private HeapPerKey() {}

  static double bytesPerKey(InProcessContender contender) throws IOException, InterruptedException {
    // The serial collector counts objects to the byte; others round large arrays up to regions.
    return ProbeProcess.run(Probe.class, contender.name(), "-XX:+UseSerialGC", "-Xmx2g");
  }

  /**
   * Prints the heap that one key takes, in bytes, without the key string. Runs in a JVM of its own.
   *
   * <p>Each key has one admission that lasts for a day, so nothing is forgotten while it is
   * weighed.
   */
  static final class Probe {
    static final int KEYS = 1_000_000;

    private static final int COLLECTIONS = 4;

    private Probe() {}

    public static void main(String[] arguments) {
      System.out.println(bytesPerKey(InProcessContender.valueOf(arguments[0])));
    }

    private static double bytesPerKey(InProcessContender contender) {
      weigh(contender, Keys.first(1)); // what a library needs once is no part of a key
      return weigh(contender, Keys.first(KEYS));
    }

    private static double weigh(InProcessContender contender, List<String> keys) {
      long before = usedBytes();
      MeasuredLimiter gate = contender.library().keyed(PermitSupply.SINGLE, keys);
      keys.forEach(gate::tryAcquire);
      long after = usedBytes();
      Reference.reachabilityFence(gate);
      Reference.reachabilityFence(keys);
      return (double) (after - before) / keys.size();
    }

    private static long usedBytes() {
      for (int i = 0; i < COLLECTIONS; i++) {
        System.gc();
      }
      return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
  }
}
