package dev.weir.benchmarks;

import dev.weir.Algorithm;
import dev.weir.benchmarks.library.Bucket4j;
import dev.weir.benchmarks.library.Failsafe;
import dev.weir.benchmarks.library.Floor;
import dev.weir.benchmarks.library.Guava;
import dev.weir.benchmarks.library.Library;
import dev.weir.benchmarks.library.Resilience4j;
import dev.weir.benchmarks.library.Weir;
import java.util.List;
import java.util.function.Supplier;

/** Everything that is measured side by side. */
public enum Contender {
  FLOOR("the floor", Floor::new),
  WEIR_TOKEN_BUCKET("Weir, token bucket", () -> Weir.tryAcquire(Algorithm.TOKEN_BUCKET)),
  WEIR_FIXED_WINDOW("Weir, fixed window", () -> Weir.tryAcquire(Algorithm.FIXED_WINDOW)),
  WEIR_SLIDING_WINDOW("Weir, sliding window", () -> Weir.tryAcquire(Algorithm.SLIDING_WINDOW)),
  WEIR_SLIDING_LOG("Weir, sliding log", () -> Weir.tryAcquire(Algorithm.SLIDING_LOG)),
  WEIR_DECIDE("Weir, token bucket, decide", () -> Weir.decide(Algorithm.TOKEN_BUCKET)),
  BUCKET4J("Bucket4j", Bucket4j::new),
  RESILIENCE4J("Resilience4j", Resilience4j::new),
  GUAVA("Guava", Guava::new),
  FAILSAFE_BURSTY("Failsafe, bursty", Failsafe::bursty),
  FAILSAFE_SMOOTH("Failsafe, smooth", Failsafe::smooth);

  /** The libraries of others, which Weir is compared with. */
  static final List<Contender> PEERS =
      List.of(BUCKET4J, RESILIENCE4J, GUAVA, FAILSAFE_BURSTY, FAILSAFE_SMOOTH);

  final String title;
  private final Supplier<Library> library;

  Contender(String title, Supplier<Library> library) {
    this.title = title;
    this.library = library;
  }

  /** Made on demand: a fork loads the classes of its own contender only. */
  Library library() {
    return library.get();
  }
}
