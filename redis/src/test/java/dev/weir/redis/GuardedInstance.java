package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.internal.guard.RecordingListener;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.awaitility.Awaitility;

/** One of several instances on a server: its guards, a limit of 100 a day, and what it saw. */
final class GuardedInstance implements AutoCloseable {
  static final Duration DEADLINE = Duration.ofMillis(100);
  static final Duration SOON = Duration.ofSeconds(30);
  static final long LIMIT = 100;

  final List<String> events;
  final RedisStore redis;
  final GuardedStore store;
  final RateLimiter limiter;
  int admittedByStore;
  int admittedLocally;
  Duration longest = Duration.ZERO;

  private GuardedInstance(String uri, FailurePolicy onFailure, OptionalInt instances) {
    redis = RedisStore.builder(uri).timeout(Duration.ofSeconds(1)).startWithoutServer().build();
    RecordingListener listener = new RecordingListener();
    events = listener.events;
    GuardedStore.Builder builder =
        GuardedStore.builder(redis).deadline(DEADLINE).listener(listener);
    instances.ifPresent(builder::instances);
    store = builder.build();
    limiter = RateLimiter.builder().policy(policy(onFailure)).store(store).build();
  }

  /** One of so many; limits fall back to local shares. */
  static GuardedInstance of(String uri, int instances) {
    return new GuardedInstance(uri, FailurePolicy.LOCAL, OptionalInt.of(instances));
  }

  /** One that finds out how many there are. */
  static GuardedInstance counting(String uri) {
    return new GuardedInstance(uri, FailurePolicy.LOCAL, OptionalInt.empty());
  }

  static GuardedInstance withPolicy(String uri, FailurePolicy onFailure) {
    return new GuardedInstance(uri, onFailure, OptionalInt.of(1));
  }

  static Policy policy(FailurePolicy onFailure) {
    Limit limit = Limit.fixedWindow(LIMIT, Duration.ofDays(1)).fromFirstUse();
    return Policy.of("guarded", "hundred", limit).onStoreFailure(onFailure);
  }

  Decision decide(String key) {
    long start = System.nanoTime();
    Decision decision = limiter.decide(key);
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    longest = took.compareTo(longest) > 0 ? took : longest;
    if (decision.allowed() && decision.source() == Source.FALLBACK) {
      admittedLocally++;
    } else if (decision.allowed()) {
      admittedByStore++;
    }
    return decision;
  }

  void decide(String key, int times) {
    for (int i = 0; i < times; i++) {
      decide(key);
    }
  }

  int admitted() {
    return admittedByStore + admittedLocally;
  }

  void awaitSource(String key, Source source) {
    Awaitility.await().atMost(SOON).until(() -> decide(key).source() == source);
  }

  /** Waits, without any traffic, until the server answers and has been charged. */
  void awaitSettled() {
    Awaitility.await()
        .atMost(SOON)
        .until(
            () -> count("fallback") == count("no fallback") && count("opened") == count("closed"));
  }

  private long count(String event) {
    return events.stream().filter(event::equals).count();
  }

  /** Asks for a key until this event has come. */
  void decideUntil(String event, String key) {
    Awaitility.await()
        .atMost(SOON)
        .until(
            () -> {
              decide(key);
              return events.contains(event);
            });
  }

  @Override
  public void close() {
    store.close();
  }
}
