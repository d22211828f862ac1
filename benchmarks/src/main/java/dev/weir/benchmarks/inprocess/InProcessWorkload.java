package dev.weir.benchmarks.inprocess;

import dev.weir.benchmarks.inprocess.LimiterLibrary.PermitSupply;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** What the contenders are asked to do. */
public enum InProcessWorkload {
  HOT_KEY("hot key, 1 thread", "hotKey", 1, PermitSupply.AMPLE),
  HOT_KEY_CONTENDED("hot key, 2 threads", "hotKey", 2, PermitSupply.AMPLE),
  MANY_KEYS("100,000 keys", "manyKeys", 1, PermitSupply.AMPLE),
  DENIED("denied, 1 thread", "hotKey", 1, PermitSupply.SINGLE),
  DENIED_CONTENDED("denied, 2 threads", "hotKey", 2, PermitSupply.SINGLE);

  final String title;
  final String method;
  final int threads;
  final PermitSupply supply;

  InProcessWorkload(String title, String method, int threads, PermitSupply supply) {
    this.title = title;
    this.method = method;
    this.threads = threads;
    this.supply = supply;
  }

  /** The keys, the same for all contenders. */
  static final class Keys {
    private static final long SEED = 42;

    private Keys() {}

    static List<String> first(int count) {
      return IntStream.range(0, count).mapToObj(number -> "user-" + number).toList();
    }

    /** Keys in an order that no cache can foresee. */
    static String[] shuffled(List<String> keys, int length) {
      return new Random(SEED)
          .ints(length, 0, keys.size())
          .mapToObj(keys::get)
          .toArray(String[]::new);
    }
  }
}
