package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A limiter in a process of its own, under a steady load, that says what its callers saw.
 *
 * <p>Arguments: address, deadline in milliseconds, failure policy, number of instances, and each
 * key with its limit: {@code name=permits} in a window that outlasts every test, or {@code
 * name=burst+permits/s}, a token bucket. It says "ready" and obeys these lines: {@code start} the
 * load, end the {@code phase}, {@code report} on it, and {@code stop} the load; "phase" and
 * "report" are answered by one line, a {@link KeyReport} for each key with semicolons between them,
 * and "stop" by "stopped".
 */
final class FleetMember {
  /** How many callers ask, each once in this while. */
  static final int CALLERS = 4;

  private static final int WARM_UP = 1000;
  private static final Duration PACE = Duration.ofMillis(5);

  private final GuardedStore store;
  private final FailurePolicy onFailure;
  private final Duration deadline;
  private final Map<String, RateLimiter> limiters = new LinkedHashMap<>();
  private final Map<String, LoadStatistics> statistics = new LinkedHashMap<>();
  private final List<Thread> callers = new ArrayList<>();
  private volatile boolean stopped;

  private FleetMember(GuardedStore store, FailurePolicy onFailure, Duration deadline) {
    this.store = store;
    this.onFailure = onFailure;
    this.deadline = deadline;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Duration deadline = Duration.ofMillis(Long.parseLong(arguments[1]));
    RedisStore redis = RedisStore.builder(arguments[0]).timeout(deadline.multipliedBy(4)).build();
    GuardedStore store =
        GuardedStore.builder(redis)
            .deadline(deadline)
            .instances(Integer.parseInt(arguments[3]))
            .build();
    FleetMember member = new FleetMember(store, FailurePolicy.valueOf(arguments[2]), deadline);
    for (String key : List.of(arguments).subList(4, arguments.length)) {
      member.limit(key.split("=")[0], policy(key.split("=")[1]));
    }
    member.warmUp();
    System.out.println("ready");
    member.obey(new BufferedReader(new InputStreamReader(System.in)));
    System.exit(0);
  }

  /** Of a window from first use that outlasts every test. */
  static Policy policy(long permits) {
    return Policy.of("fleet", "w", Limit.fixedWindow(permits, Duration.ofDays(1)).fromFirstUse());
  }

  private static Policy policy(String limit) {
    String[] parts = limit.split("[+/]");
    if (parts.length == 1) {
      return policy(Long.parseLong(limit));
    }
    Limit.TokenBucket bucket =
        Limit.tokenBucket(Long.parseLong(parts[1]), Duration.ofSeconds(1))
            .withBurst(Long.parseLong(parts[0]));
    return Policy.of("fleet", "b", bucket);
  }

  private void limit(String key, Policy policy) {
    Policy guarded = policy.onStoreFailure(onFailure);
    limiters.put(key, RateLimiter.builder().policy(guarded).store(store).build());
    statistics.put(key, new LoadStatistics(deadline));
  }

  /** The first calls of a process are slow, and that is no fault of the store. */
  private void warmUp() {
    RateLimiter limiter = RateLimiter.builder().policy(policy(WARM_UP)).store(store).build();
    for (int i = 0; i < WARM_UP; i++) {
      limiter.decide("warm-up");
    }
  }

  private void obey(BufferedReader orders) throws IOException, InterruptedException {
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      switch (order) {
        case "start" -> start();
        case "phase" -> say(LoadStatistics::nextPhase);
        case "report" -> say(LoadStatistics::report);
        case "stop" -> stop();
        default -> throw new IllegalArgumentException(order);
      }
    }
  }

  private void start() {
    for (int i = 0; i < CALLERS; i++) {
      Thread caller = new Thread(this::ask);
      caller.setDaemon(true);
      callers.add(caller);
      caller.start();
    }
  }

  private void stop() throws InterruptedException {
    stopped = true;
    for (Thread caller : callers) {
      caller.join();
    }
    System.out.println("stopped");
  }

  private void say(Function<LoadStatistics, KeyReport> part) {
    System.out.println(
        statistics.values().stream()
            .map(tally -> part.apply(tally).toLine())
            .collect(Collectors.joining(";")));
  }

  private void ask() {
    while (!stopped) {
      for (String key : limiters.keySet()) {
        long start = System.nanoTime();
        Decision decision = limiters.get(key).decide(key);
        statistics.get(key).add(decision, System.nanoTime() - start);
      }
      LockSupport.parkNanos(PACE.toNanos());
    }
  }
}
