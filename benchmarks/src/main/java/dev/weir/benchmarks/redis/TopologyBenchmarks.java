package dev.weir.benchmarks.redis;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.benchmarks.redis.LoadGenerator.MeasuredInterval;
import dev.weir.benchmarks.redis.MeasurementRun.RedisTiming;
import dev.weir.benchmarks.redis.client.LimiterClient;
import dev.weir.benchmarks.redis.client.LimiterClient.PermitBudget;
import dev.weir.benchmarks.redis.client.WeirRedisClient;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.MarkdownTable;
import dev.weir.benchmarks.report.MeasurementSetup;
import dev.weir.benchmarks.report.MedianAndRange;
import dev.weir.benchmarks.report.PauseWatch;
import dev.weir.benchmarks.report.PerformanceTarget;
import dev.weir.benchmarks.report.ProgressLine;
import dev.weir.redis.RedisStore;
import dev.weir.testkit.DelayProxy;
import dev.weir.testkit.RedisBinary;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisProcess;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The program over servers that are several, or far away: a Cluster of three next to a single
 * server (P17), and a server at a round trip of 30 ms behind guards (P21).
 */
public final class TopologyBenchmarks {
  private static final Duration ROUND_TRIP = Duration.ofMillis(30);
  private static final Duration DEADLINE = Duration.ofMillis(50);

  /** Half of what the deadline leaves beside the round trip; a longer pause disturbs a turn. */
  private static final double LONGEST_PAUSE_MILLIS = 10;

  private static final Duration FAR_WARM_UP = Duration.ofSeconds(5);
  private static final List<Integer> FAR_CALLERS = List.of(1, 10, 50, 200);
  private static final int CALLERS = 64;
  private static final List<String> USERS =
      IntStream.range(0, 10_000).mapToObj(i -> "user-" + i).toList();
  private static final long MOST_PER_CALLER = 10_000_000;

  private final RedisTiming timing;
  private final ProgressLine progress;
  private final Path binary = RedisBinary.installed().orElseGet(RedisBinary::embedded);
  private final List<PerformanceTarget> targets = new ArrayList<>();
  private final MarkdownTable far =
      MarkdownTable.ofNumbers(
          List.of(
              "callers, server 30 ms away",
              "answered by the store",
              "p50",
              "p99",
              "longest pause of the machine"));

  private final Map<Integer, List<FarTurn>> farTurns = new LinkedHashMap<>();

  private TopologyBenchmarks(Effort effort, boolean terminal) {
    timing = RedisTiming.of(effort);
    int steps = (2 + FAR_CALLERS.size()) * (timing.rounds + 1);
    progress = new ProgressLine(System.out, terminal, steps, System::nanoTime);
  }

  /** Measures everything; returns the tables. */
  public static String measure(Effort effort, boolean terminal) throws InterruptedException {
    return new TopologyBenchmarks(effort, terminal).run();
  }

  private String run() throws InterruptedException {
    MarkdownTable spread = measureCluster();
    measureFar();
    progress.end();
    return "Machine: "
        + MeasurementSetup.machine()
        + ".\n\nMeasured in "
        + timing.inWords()
        + ".\n\n"
        + PerformanceTarget.table(targets)
        + "\n"
        + spread
        + "\n"
        + far;
  }

  private MarkdownTable measureCluster() throws InterruptedException {
    List<Double> single = new ArrayList<>();
    List<Double> cluster = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    try (RedisProcess one = RedisProcess.start(binary);
        RedisCluster three = RedisCluster.start(binary, 3);
        LimiterClient toOne = client(one.uri());
        LimiterClient toThree = client(three.uri())) {
      for (int round = 0; round <= timing.rounds; round++) {
        double onOne = perCpuSecond("one server", toOne);
        double onThree = perCpuSecond("a Cluster of three", toThree);
        if (round > 0) { // the first one compiles the code
          single.add(onOne);
          cluster.add(onThree);
          ratios.add(onThree / onOne);
        }
      }
    }
    MedianAndRange ratio = MedianAndRange.of(ratios);
    targets.add(
        PerformanceTarget.atLeast(
            "P17",
            "10,000 keys, 64 callers: a Cluster of three decides at least 0.8 x as often per second"
                + " of the client's processor time as one server",
            0.8,
            ratio));
    MarkdownTable table =
        MarkdownTable.ofNumbers(List.of("10,000 keys, 64 callers", "decisions per CPU second"));
    table.row(List.of("one server", MedianAndRange.of(single).asNumber()));
    table.row(List.of("a Cluster of three", MedianAndRange.of(cluster).asNumber()));
    return table;
  }

  private static LimiterClient client(String uri) {
    return new WeirRedisClient(uri, PermitBudget.AMPLE, 1, 1);
  }

  private double perCpuSecond(String what, LimiterClient client) throws InterruptedException {
    progress.next("decisions per CPU second", what);
    MeasuredInterval interval = MeasuredInterval.after(timing.warmup, timing.length);
    long before = cpuNanos();
    CallStatistics statistics =
        new LoadGenerator(client, USERS, interval, MOST_PER_CALLER).threads(CALLERS);
    return statistics.asked() * 1e9 / (cpuNanos() - before);
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private void measureFar() throws InterruptedException {
    try (RedisProcess redis = RedisProcess.start(binary);
        DelayProxy proxy = DelayProxy.to(redis.port(), ROUND_TRIP);
        FarClient client = new FarClient("redis://127.0.0.1:" + proxy.port())) {
      warmUp(client);
      for (int round = 0; round <= timing.rounds; round++) {
        for (int callers : FAR_CALLERS) {
          progress.next("server 30 ms away", callers + " callers");
          if (round == 0) {
            measureFar(callers, client);
          } else {
            farTurns
                .computeIfAbsent(callers, each -> new ArrayList<>())
                .add(leastPaused(callers, client));
          }
        }
      }
    }
    farTurns.forEach(this::report);
  }

  /** Code that is not compiled yet would be too late for the deadline. */
  private static void warmUp(FarClient client) throws InterruptedException {
    MeasuredInterval interval = MeasuredInterval.after(Duration.ZERO, FAR_WARM_UP);
    new LoadGenerator(client, USERS, interval, MOST_PER_CALLER).threads(CALLERS);
  }

  /**
   * Repeats a turn in which the machine stood still; never because of its result, which would be
   * selection.
   */
  private FarTurn leastPaused(int callers, FarClient client) throws InterruptedException {
    FarTurn best = measureFar(callers, client);
    for (int attempt = 1;
        attempt < timing.attempts && best.pauseMillis > LONGEST_PAUSE_MILLIS;
        attempt++) {
      FarTurn again = measureFar(callers, client);
      best = again.pauseMillis < best.pauseMillis ? again : best;
    }
    return best;
  }

  private FarTurn measureFar(int callers, FarClient client) throws InterruptedException {
    Duration warmup = ROUND_TRIP.multipliedBy(20);
    MeasuredInterval interval = MeasuredInterval.after(warmup, timing.length);
    client.begin();
    try (PauseWatch pauses = PauseWatch.start()) {
      CallStatistics statistics =
          new LoadGenerator(client, USERS, interval, MOST_PER_CALLER).threads(callers);
      double byStore = 1 - (double) client.fallback.sum() / statistics.asked();
      return new FarTurn(
          byStore, statistics.micros(50), statistics.micros(99), pauses.longestMillis());
    }
  }

  private void report(int callers, List<FarTurn> turns) {
    MedianAndRange byStore = median(turns, FarTurn::byStore);
    targets.add(
        PerformanceTarget.atLeast(
            "P21",
            "30 ms away, %d callers: at least 0.999 answered by the store".formatted(callers),
            0.999,
            byStore));
    targets.add(
        PerformanceTarget.atMost(
            "P21",
            "30 ms away, %d callers: p50 at most 1.1 x the round trip".formatted(callers),
            1.1,
            median(turns, turn -> turn.p50Micros / (ROUND_TRIP.toNanos() / 1e3))));
    far.row(
        List.of(
            String.valueOf(callers),
            "%.4f (%.4f to %.4f)".formatted(byStore.median(), byStore.least(), byStore.most()),
            "%.1f ms".formatted(median(turns, FarTurn::p50Micros).median() / 1e3),
            "%.1f ms".formatted(median(turns, FarTurn::p99Micros).median() / 1e3),
            "%.1f ms".formatted(median(turns, FarTurn::pauseMillis).most())));
  }

  private static MedianAndRange median(List<FarTurn> turns, ToDoubleFunction<FarTurn> figure) {
    return MedianAndRange.of(turns.stream().map(figure::applyAsDouble).toList());
  }

  /**
   * One round over a far server.
   *
   * @param byStore the share of answers that the store gave, and not a failure policy
   * @param pauseMillis the longest pause of the machine meanwhile
   */
  private record FarTurn(double byStore, double p50Micros, double p99Micros, double pauseMillis) {}

  /** Weir behind guards, counting what a failure policy answers. */
  private static final class FarClient implements LimiterClient {
    private final GuardedStore store;
    private final RateLimiter limiter;
    private final LongAdder fallback = new LongAdder();

    FarClient(String uri) {
      store = GuardedStore.builder(RedisStore.connect(uri)).deadline(DEADLINE).build();
      Limit limit = Limit.tokenBucket(PermitBudget.AMPLE.permits, PermitBudget.AMPLE.period);
      limiter =
          RateLimiter.builder()
              .policy(Policy.of("far", "limit", limit).onStoreFailure(FailurePolicy.ALLOW))
              .store(store)
              .build();
    }

    void begin() {
      fallback.reset();
    }

    /** Callers that a failure policy answers at once must not take the processors from the rest. */
    @Override
    public boolean tryAcquire(String key) {
      Decision decision = limiter.decide(key);
      if (decision.source() == Source.FALLBACK) {
        LockSupport.parkNanos(ROUND_TRIP.toNanos());
      }
      return counted(decision);
    }

    @Override
    public CompletionStage<Boolean> ask(String key) {
      return limiter.async().decide(key).thenApply(this::counted);
    }

    private boolean counted(Decision decision) {
      if (decision.source() == Source.FALLBACK) {
        fallback.increment();
      }
      return decision.allowed();
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
