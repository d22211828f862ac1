package dev.weir.benchmarks.redis;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.benchmarks.Ticks;
import dev.weir.benchmarks.redis.client.Client;
import dev.weir.testkit.RedisProcess;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.IntStream;

/** Runs one contender under one workload, once. */
final class MeasurementRun {
  private static final long MOST_DECISIONS = 10_000_000;

  private final RedisProcess redis;
  private final Pace pace;

  MeasurementRun(RedisProcess redis, Pace pace) {
    this.redis = redis;
    this.pace = pace;
  }

  RedisSample take(RedisWorkload workload, RedisContender contender, Client client)
      throws InterruptedException {
    List<String> keys = IntStream.range(0, workload.keys).mapToObj(i -> "user-" + i).toList();
    Ticks ticks = Ticks.now();
    long cpuNanos = cpuNanos();
    long begunNanos = System.nanoTime();
    ServerStats before = ServerStats.reset(redis);
    Tally tally = ask(workload, client, keys);
    double clientMicros = (cpuNanos() - cpuNanos) / 1e3;
    ServerStats server = ServerStats.now(redis).since(before);
    if (tally.admitted() < tally.asked()) {
      throw new IllegalStateException(
          "%s denied %d of %d that it should admit"
              .formatted(contender, tally.asked() - tally.admitted(), tally.asked()));
    }
    double others = Ticks.now().shareSince(ticks) - share(server, System.nanoTime() - begunNanos);
    return sample(tally, server, clientMicros, Math.max(0, others));
  }

  private Tally ask(RedisWorkload workload, Client client, List<String> keys)
      throws InterruptedException {
    Window window = Window.after(pace.warmup, pace.length);
    LoadGenerator crowd =
        new LoadGenerator(client, keys, window, MOST_DECISIONS / workload.callers);
    return workload.async ? crowd.inFlight(workload.callers) : crowd.threads(workload.callers);
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** The server is another program to Linux, but none that disturbs. */
  private static double share(ServerStats server, long nanos) {
    return server.cpuMicros() * 1e3 / nanos / Runtime.getRuntime().availableProcessors();
  }

  private static RedisSample sample(
      Tally tally, ServerStats server, double clientMicros, double disturbed) {
    double asked = Math.max(1, tally.asked());
    return new RedisSample(
        tally.perSecond(),
        tally.micros(50),
        tally.micros(99),
        server.scriptMicros() / asked,
        server.cpuMicros() / asked,
        clientMicros / asked,
        asked / Math.max(1, server.scriptCalls()),
        disturbed);
  }
}
