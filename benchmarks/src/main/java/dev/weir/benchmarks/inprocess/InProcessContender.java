package dev.weir.benchmarks.inprocess;

import dev.weir.Algorithm;
import dev.weir.benchmarks.inprocess.LimiterLibrary.Floor;
import dev.weir.benchmarks.inprocess.PeerLibraries.Bucket4j;
import dev.weir.benchmarks.inprocess.PeerLibraries.Failsafe;
import dev.weir.benchmarks.inprocess.PeerLibraries.Guava;
import dev.weir.benchmarks.inprocess.PeerLibraries.Resilience4j;
import java.util.List;
import java.util.function.Supplier;

/** Everything that is measured side by side. */
public enum InProcessContender {
  FLOOR("the floor", Floor::new),
  WEIR_TOKEN_BUCKET("Weir, token bucket", () -> WeirLibrary.tryAcquire(Algorithm.TOKEN_BUCKET)),
  WEIR_FIXED_WINDOW("Weir, fixed window", () -> WeirLibrary.tryAcquire(Algorithm.FIXED_WINDOW)),
  WEIR_SLIDING_WINDOW(
      "Weir, sliding window", () -> WeirLibrary.tryAcquire(Algorithm.SLIDING_WINDOW)),
  WEIR_SLIDING_LOG("Weir, sliding log", () -> WeirLibrary.tryAcquire(Algorithm.SLIDING_LOG)),
  WEIR_DECIDE("Weir, token bucket, decide", () -> WeirLibrary.decide(Algorithm.TOKEN_BUCKET)),
  BUCKET4J("Bucket4j", Bucket4j::new),
  RESILIENCE4J("Resilience4j", Resilience4j::new),
  GUAVA("Guava", Guava::new),
  FAILSAFE_BURSTY("Failsafe, bursty", Failsafe::bursty),
  FAILSAFE_SMOOTH("Failsafe, smooth", Failsafe::smooth);

  /** The libraries of others, which Weir is compared with. */
  static final List<InProcessContender> PEERS =
      List.of(BUCKET4J, RESILIENCE4J, GUAVA, FAILSAFE_BURSTY, FAILSAFE_SMOOTH);

  final String title;
  private final Supplier<LimiterLibrary> library;

  InProcessContender(String title, Supplier<LimiterLibrary> library) {
    this.title = title;
    this.library = library;
  }

  /** Made on demand: a fork loads the classes of its own contender only. */
  LimiterLibrary library() {
    return library.get();
  }
}
