package dev.weir.benchmarks.redis;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.benchmarks.redis.LoadGenerator.CallerThreads;
import dev.weir.benchmarks.redis.LoadGenerator.MeasuredInterval;
import dev.weir.benchmarks.redis.client.LimiterClient;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.ProcessorTicks;
import dev.weir.testkit.RedisProcess;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Runs one contender under one workload, once. */
final class MeasurementRun {
  private static final long MOST_DECISIONS = 10_000_000;

  private final RedisProcess redis;
  private final RedisTiming timing;

  MeasurementRun(RedisProcess redis, RedisTiming timing) {
    this.redis = redis;
    this.timing = timing;
  }

  RedisSample take(RedisWorkload workload, RedisContender contender, LimiterClient client)
      throws InterruptedException {
    return take(workload, CallerThreads.PLATFORM, contender, client);
  }

  RedisSample take(
      RedisWorkload workload, CallerThreads kind, RedisContender contender, LimiterClient client)
      throws InterruptedException {
    List<String> keys = IntStream.range(0, workload.keys).mapToObj(i -> "user-" + i).toList();
    ProcessorTicks ticks = ProcessorTicks.now();
    long cpuNanos = cpuNanos();
    long begunNanos = System.nanoTime();
    ServerStats before = ServerStats.reset(redis);
    CallStatistics statistics = ask(workload, kind, client, keys);
    double clientMicros = (cpuNanos() - cpuNanos) / 1e3;
    ServerStats server = ServerStats.now(redis).since(before);
    if (statistics.admitted() < statistics.asked()) {
      throw new IllegalStateException(
          "%s denied %d of %d that it should admit"
              .formatted(
                  contender, statistics.asked() - statistics.admitted(), statistics.asked()));
    }
    double others =
        ProcessorTicks.now().shareSince(ticks) - share(server, System.nanoTime() - begunNanos);
    return sample(statistics, server, clientMicros, Math.max(0, others));
  }

  private CallStatistics ask(
      RedisWorkload workload, CallerThreads kind, LimiterClient client, List<String> keys)
      throws InterruptedException {
    MeasuredInterval interval = MeasuredInterval.after(timing.warmup, timing.length);
    LoadGenerator generator =
        new LoadGenerator(client, keys, interval, MOST_DECISIONS / workload.callers);
    return workload.async
        ? generator.inFlight(workload.callers)
        : generator.threads(workload.callers, kind);
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** The server's share of the processors, which does not count as a disturbance. */
  private static double share(ServerStats server, long nanos) {
    return server.cpuMicros() * 1e3 / nanos / Runtime.getRuntime().availableProcessors();
  }

  private static RedisSample sample(
      CallStatistics statistics, ServerStats server, double clientMicros, double disturbed) {
    double asked = Math.max(1, statistics.asked());
    return new RedisSample(
        statistics.perSecond(),
        statistics.micros(50),
        statistics.micros(99),
        server.scriptMicros() / asked,
        server.cpuMicros() / asked,
        clientMicros / asked,
        asked / Math.max(1, server.scriptCalls()),
        disturbed);
  }

  /** How long to measure. */
  enum RedisTiming {
    SHORT(3, 2, 300, 900),
    FULL(5, 3, 1_000, 3_000);

    final int rounds;

    /** At most so many tries while other programs are busy. */
    final int attempts;

    final Duration warmup;
    final Duration length;

    RedisTiming(int rounds, int attempts, long warmupMillis, long lengthMillis) {
      this.rounds = rounds;
      this.attempts = attempts;
      this.warmup = Duration.ofMillis(warmupMillis);
      this.length = Duration.ofMillis(lengthMillis);
    }

    static RedisTiming of(Effort effort) {
      return switch (effort) {
        case SHORT -> SHORT;
        case FULL -> FULL;
      };
    }

    String inWords() {
      return "%d interleaved rounds after one that does not count, each turn %d ms after %d ms of"
          .concat(" warming up")
          .formatted(rounds, length.toMillis(), warmup.toMillis());
    }
  }

  /**
   * One contender in one round.
   *
   * @param perSecond decisions
   * @param scriptMicros time of the server in scripts, per decision
   * @param cpuMicros all processor time of the server, per decision
   * @param clientMicros all processor time of this program, per decision
   * @param perCall decisions per script call
   * @param disturbed the share of the processors that other programs used meanwhile
   */
  record RedisSample(
      double perSecond,
      double p50Micros,
      double p99Micros,
      double scriptMicros,
      double cpuMicros,
      double clientMicros,
      double perCall,
      double disturbed) {}

  /**
   * What the server has done since its counters were reset, or since it started.
   *
   * @param scriptCalls times a script was called
   * @param scriptMicros time in scripts, with the commands they call
   * @param cpuMicros processor time of the whole server, with reading and writing sockets
   */
  record ServerStats(long scriptCalls, long scriptMicros, double cpuMicros) {
    private static final Pattern SCRIPT =
        Pattern.compile("cmdstat_(?:evalsha|eval):calls=(\\d+),usec=(\\d+)");
    private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");

    /** Resets all counters except processor time. */
    static ServerStats reset(RedisProcess redis) {
      redis.command("CONFIG", "RESETSTAT");
      return now(redis);
    }

    static ServerStats now(RedisProcess redis) {
      return parse(redis.command("INFO", "commandstats") + redis.command("INFO", "cpu"));
    }

    static ServerStats parse(String info) {
      long calls = 0;
      long micros = 0;
      for (Matcher script = SCRIPT.matcher(info); script.find(); ) {
        calls += Long.parseLong(script.group(1));
        micros += Long.parseLong(script.group(2));
      }
      double seconds = 0;
      for (Matcher cpu = CPU.matcher(info); cpu.find(); ) {
        seconds += Double.parseDouble(cpu.group(1));
      }
      return new ServerStats(calls, micros, seconds * 1e6);
    }

    ServerStats since(ServerStats earlier) {
      return new ServerStats(
          scriptCalls - earlier.scriptCalls,
          scriptMicros - earlier.scriptMicros,
          cpuMicros - earlier.cpuMicros);
    }
  }

  /** What the contenders are asked to do. */
  enum RedisWorkload {
    ONE_CALLER("1 caller", 1, 1, false, RedisContender.SINGLE),
    HOT_8("8 callers", 8, 1, false, RedisContender.SINGLE),
    HOT_64("64 callers", 64, 1, false, RedisContender.SINGLE),
    HOT_256("256 callers", 256, 1, false, RedisContender.SINGLE),
    MANY_KEYS("10,000 keys, 64 callers", 64, 10_000, false, RedisContender.SINGLE),
    IN_FLIGHT("async, 256 in flight", 256, 1, true, RedisContender.SINGLE),
    LIMITS_1("limits, 1 caller", 1, 1, false, RedisContender.LIMITS),
    LIMITS_64("limits, 64 callers", 64, 1, false, RedisContender.LIMITS),
    ALGORITHMS_HOT("algorithms, 64 callers", 64, 1, false, RedisContender.ALGORITHMS),
    ALGORITHMS_KEYS(
        "algorithms, 10,000 keys, 64 callers", 64, 10_000, false, RedisContender.ALGORITHMS),
    PAY_ONCE_1("slots and request ids, 1 caller", 1, 1, false, RedisContender.PER_REQUEST_STATE),
    PAY_ONCE_KEYS(
        "slots and request ids, 10,000 keys, 64 callers",
        64,
        10_000,
        false,
        RedisContender.PER_REQUEST_STATE);

    /** Those that all contenders take part in. */
    static final List<RedisWorkload> SHARED =
        List.of(ONE_CALLER, HOT_8, HOT_64, HOT_256, MANY_KEYS, IN_FLIGHT);

    final String title;
    final int callers;
    final int keys;
    final boolean async;
    final List<RedisContender> contenders;

    RedisWorkload(
        String title, int callers, int keys, boolean async, List<RedisContender> contenders) {
      this.title = title;
      this.callers = callers;
      this.keys = keys;
      this.async = async;
      this.contenders = contenders;
    }
  }
}
