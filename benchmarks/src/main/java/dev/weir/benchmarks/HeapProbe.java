package dev.weir.benchmarks;

import dev.weir.benchmarks.library.Gate;
import dev.weir.benchmarks.library.Supply;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.List;

/**
 * Prints the heap that one key takes, in bytes, without the key string. Runs in a JVM of its own.
 *
 * <p>Each key has one admission that lasts for a day, so nothing is forgotten while it is weighed.
 */
final class HeapProbe {
  static final int KEYS = 1_000_000;

  private static final int COLLECTIONS = 4;

  private HeapProbe() {}

  public static void main(String[] arguments) {
    System.out.println(bytesPerKey(Contender.valueOf(arguments[0])));
  }

  private static double bytesPerKey(Contender contender) {
    weigh(contender, Keys.first(1)); // what a library needs once is no part of a key
    return weigh(contender, Keys.first(KEYS));
  }

  private static double weigh(Contender contender, List<String> keys) {
    long before = usedBytes();
    Gate gate = contender.library().keyed(Supply.SINGLE, keys);
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
