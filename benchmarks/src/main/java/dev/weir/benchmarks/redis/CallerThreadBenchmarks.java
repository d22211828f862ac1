package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.redis.LoadGenerator.CallerThreads;
import dev.weir.benchmarks.redis.MeasurementRun.RedisSample;
import dev.weir.benchmarks.redis.MeasurementRun.RedisTiming;
import dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload;
import dev.weir.benchmarks.redis.client.LimiterClient;
import dev.weir.benchmarks.redis.client.LimiterClient.PermitBudget;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.MarkdownTable;
import dev.weir.benchmarks.report.MeasurementSetup;
import dev.weir.benchmarks.report.ProgressLine;
import dev.weir.testkit.RedisBinary;
import dev.weir.testkit.RedisProcess;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The program for callers that block: the same work by platform threads and by virtual ones, which
 * cost less to wake. Needs Java 21 or newer.
 */
public final class CallerThreadBenchmarks {
  private static final List<RedisWorkload> WORKLOADS =
      List.of(RedisWorkload.HOT_64, RedisWorkload.HOT_256, RedisWorkload.MANY_KEYS);
  private static final List<RedisContender> CONTENDERS =
      List.of(
          RedisContender.WEIR,
          RedisContender.RETURN_ONE,
          RedisContender.BUCKET4J_BATCHING,
          RedisContender.REDISSON);

  private final RedisTiming timing;
  private final ProgressLine progress;
  private final Map<CallerThreads, RedisMeasurements> measured = new EnumMap<>(CallerThreads.class);

  private CallerThreadBenchmarks(Effort effort, boolean terminal) {
    timing = RedisTiming.of(effort);
    int turns = WORKLOADS.size() * CONTENDERS.size() * CallerThreads.values().length;
    progress =
        new ProgressLine(System.out, terminal, turns * (timing.rounds + 1), System::nanoTime);
    for (CallerThreads kind : CallerThreads.values()) {
      measured.put(kind, new RedisMeasurements());
    }
  }

  /** Measures everything; returns the tables. */
  public static String measure(Effort effort, boolean terminal) throws InterruptedException {
    if (!CallerThreads.hasVirtual()) {
      throw new IllegalStateException("virtual threads need Java 21 or newer");
    }
    return new CallerThreadBenchmarks(effort, terminal).run();
  }

  private String run() throws InterruptedException {
    Map<RedisContender, LimiterClient> clients = new EnumMap<>(RedisContender.class);
    try (RedisProcess redis =
        RedisProcess.start(RedisBinary.installed().orElseGet(RedisBinary::embedded))) {
      CONTENDERS.forEach(each -> clients.put(each, each.open(redis.uri(), PermitBudget.AMPLE)));
      MeasurementRun run = new MeasurementRun(redis, timing);
      for (int round = 0; round <= timing.rounds; round++) {
        takeTurns(round, run, clients);
      }
    } finally {
      clients.values().forEach(LimiterClient::close);
    }
    progress.end();
    return report();
  }

  private void takeTurns(int round, MeasurementRun run, Map<RedisContender, LimiterClient> clients)
      throws InterruptedException {
    for (RedisWorkload workload : WORKLOADS) {
      for (CallerThreads kind : CallerThreads.values()) {
        for (RedisContender contender : CONTENDERS) {
          progress.next(workload.title + ", " + kind.title, contender.title);
          RedisSample sample = run.take(workload, kind, contender, clients.get(contender));
          if (round > 0) { // the first one compiles the code
            measured.get(kind).add(workload, contender, sample);
          }
        }
      }
    }
  }

  private String report() {
    return String.join(
        "\n",
        "Machine: " + MeasurementSetup.machine() + ".\n",
        "Measured in " + timing.inWords() + ".\n",
        "Decisions per second in thousands, and in brackets how many times as many Weir makes.\n",
        table(sample -> sample.perSecond() / 1000, true).toString(),
        "Microseconds of the client's processor time per decision.\n",
        table(RedisSample::clientMicros, false).toString());
  }

  private MarkdownTable table(ToDoubleFunction<RedisSample> part, boolean withRatio) {
    List<String> titles = new ArrayList<>(List.of(""));
    for (RedisWorkload workload : WORKLOADS) {
      for (CallerThreads kind : CallerThreads.values()) {
        titles.add(workload.title + ", " + kind.title);
      }
    }
    MarkdownTable table = MarkdownTable.ofNumbers(titles);
    for (RedisContender contender : CONTENDERS) {
      List<String> cells = new ArrayList<>(List.of(contender.title));
      for (RedisWorkload workload : WORKLOADS) {
        for (CallerThreads kind : CallerThreads.values()) {
          cells.add(cell(measured.get(kind), workload, contender, part, withRatio));
        }
      }
      table.row(cells);
    }
    return table;
  }

  private static String cell(
      RedisMeasurements measured,
      RedisWorkload workload,
      RedisContender contender,
      ToDoubleFunction<RedisSample> part,
      boolean withRatio) {
    String median = MarkdownTable.number(measured.of(workload, contender, part).median());
    double ratio = measured.ratio(workload, RedisContender.WEIR, contender, part).median();
    return withRatio && contender != RedisContender.WEIR
        ? "%s (%.2f)".formatted(median, ratio)
        : median;
  }
}
