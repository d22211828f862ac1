package dev.weir.benchmarks.inprocess;

import dev.weir.benchmarks.inprocess.LimiterLibrary.InProcessContender;
import dev.weir.benchmarks.inprocess.LimiterLibrary.MeasuredLimiter;
import dev.weir.benchmarks.inprocess.LimiterLibrary.PermitSupply;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** One request for one permit. Each fork knows one contender only, so no call is megamorphic. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TryAcquire {

  /** A single key that all threads use. */
  @State(Scope.Benchmark)
  public static class OneKey {
    @Param public InProcessContender contender;
    @Param public PermitSupply supply;

    // Set by open(); no stand-in, which would be a second class behind the measured call.
    String key;
    MeasuredLimiter gate;

    @Setup
    public void open() {
      key = Keys.first(1).get(0);
      gate = contender.library().one(supply);
      gate.tryAcquire(key);
      checkSupply();
    }

    /** Checks that the contender still admits or denies as the supply demands. */
    @TearDown
    public void checkSupply() {
      if (gate.tryAcquire(key) != (supply == PermitSupply.AMPLE)) {
        throw new IllegalStateException(contender + " does not do what " + supply + " says");
      }
    }
  }

  /** A hundred thousand keys, each used now and then. */
  @State(Scope.Benchmark)
  public static class ManyKeys {
    private static final int KEYS = 100_000;
    private static final int ORDER = 1 << 20;

    @Param public InProcessContender contender;

    String[] order;
    MeasuredLimiter gate;

    @Setup
    public void open() {
      List<String> keys = Keys.first(KEYS);
      order = Keys.shuffled(keys, ORDER);
      gate = contender.library().keyed(PermitSupply.AMPLE, keys);
      keys.forEach(gate::tryAcquire);
    }

    @TearDown
    public void checkSupply() {
      if (!gate.tryAcquire(order[0])) {
        throw new IllegalStateException(contender + " has run dry");
      }
    }
  }

  /** Where one thread is in the order of keys. */
  @State(Scope.Thread)
  public static class Cursor {
    private int next;

    String next(String[] order) {
      next = (next + 1) & (order.length - 1);
      return order[next];
    }
  }

  @Benchmark
  public void hotKey(OneKey one, Blackhole hole) {
    one.gate.ask(one.key, hole);
  }

  @Benchmark
  public void manyKeys(ManyKeys many, Cursor cursor, Blackhole hole) {
    many.gate.ask(cursor.next(many.order), hole);
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
  }
}
