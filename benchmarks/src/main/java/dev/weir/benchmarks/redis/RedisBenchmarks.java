package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.redis.MeasurementRun.RedisSample;
import dev.weir.benchmarks.redis.MeasurementRun.RedisTiming;
import dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload;
import dev.weir.benchmarks.redis.RedisMeasurements.AdmissionCount;
import dev.weir.benchmarks.redis.client.LimiterClient;
import dev.weir.benchmarks.redis.client.LimiterClient.PermitBudget;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.PlotFiles;
import dev.weir.benchmarks.report.ProgressLine;
import dev.weir.testkit.RedisBinary;
import dev.weir.testkit.RedisProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The program over Redis: starts a server of its own, measures, draws and writes. */
public final class RedisBenchmarks {
  private RedisBenchmarks() {}

  /** Measures everything and draws the plots; returns the tables. */
  public static String measure(Effort effort, Path images, boolean terminal)
      throws IOException, InterruptedException {
    RedisTiming timing = RedisTiming.of(effort);
    ProgressLine progress =
        new ProgressLine(System.out, terminal, Rounds.steps(timing), System::nanoTime);
    // The installed server is newer than the embedded one, and closer to production.
    Path binary = RedisBinary.installed().orElseGet(RedisBinary::embedded);
    boolean installed = RedisBinary.installed().isPresent();
    try (RedisProcess redis = RedisProcess.start(binary)) {
      String server = server(redis, installed);
      RedisMeasurements measured = new Rounds(redis, timing, progress).run();
      PlotFiles.write(new RedisPlots(measured).all(), images);
      return new RedisReport(measured).render(timing, server);
    }
  }

  private static String server(RedisProcess redis, boolean installed) {
    String version =
        redis
            .command("INFO", "server")
            .lines()
            .filter(line -> line.startsWith("redis_version:"))
            .map(line -> line.substring("redis_version:".length()).strip())
            .findFirst()
            .orElse("of unknown version");
    return "Redis %s (%s), on the same machine over loopback, nothing kept on disk"
        .formatted(version, installed ? "the one installed" : "embedded");
  }

  /** Runs all contenders in turn, round after round, so that what disturbs one disturbs all. */
  static final class Rounds {
    private static final double QUIET = 0.1;

    private final RedisProcess redis;
    private final RedisTiming timing;
    private final ProgressLine progress;
    private final MeasurementRun run;
    private final RedisMeasurements measured = new RedisMeasurements();
    private final Map<RedisContender, LimiterClient> clients = new EnumMap<>(RedisContender.class);

    Rounds(RedisProcess redis, RedisTiming timing, ProgressLine progress) {
      this.redis = redis;
      this.timing = timing;
      this.progress = progress;
      this.run = new MeasurementRun(redis, timing);
    }

    RedisMeasurements run() throws InterruptedException {
      try {
        for (RedisContender contender : RedisContender.values()) {
          clients.put(contender, contender.open(redis.uri(), PermitBudget.AMPLE));
        }
        for (int round = 0; round <= timing.rounds; round++) {
          for (RedisWorkload workload : RedisWorkload.values()) {
            takeTurns(round, workload);
          }
        }
        measureKeys();
      } finally {
        clients.values().forEach(LimiterClient::close);
      }
      count();
      progress.end();
      return measured;
    }

    private void takeTurns(int round, RedisWorkload workload) throws InterruptedException {
      for (RedisContender contender : order(round, workload)) {
        progress.next(
            "round %d of %d, %s".formatted(round, timing.rounds, workload.title), contender.title);
        if (round == 0) { // compiles the code, and makes the keys
          run.take(workload, contender, clients.get(contender));
        } else {
          measured.add(workload, contender, leastDisturbed(workload, contender));
        }
      }
    }

    /**
     * Repeats a run that other programs disturbed; never because of its result, which would be
     * selection.
     */
    private RedisSample leastDisturbed(RedisWorkload workload, RedisContender contender)
        throws InterruptedException {
      RedisSample best = run.take(workload, contender, clients.get(contender));
      for (int attempt = 1; attempt < timing.attempts && best.disturbed() > QUIET; attempt++) {
        RedisSample again = run.take(workload, contender, clients.get(contender));
        best = again.disturbed() < best.disturbed() ? again : best;
      }
      return best;
    }

    private void measureKeys() {
      for (RedisContender contender : RedisContender.KEEPING_STATE) {
        progress.next("memory per key", contender.title);
        measured.setKeySizes(contender, KeySizes.take(clients.get(contender), redis));
      }
    }

    private void count() throws InterruptedException {
      for (RedisContender contender : counted()) {
        progress.next("admitted against allowed", contender.title);
        measured.setCount(contender, AdmissionCount.take(contender, redis.uri()));
      }
    }

    private static List<RedisContender> counted() {
      List<RedisContender> deciding = new ArrayList<>(RedisContender.SINGLE);
      deciding.remove(RedisContender.RETURN_ONE);
      return deciding;
    }

    /** Another contender begins each round, so that none always runs first. */
    private static List<RedisContender> order(int round, RedisWorkload workload) {
      List<RedisContender> order = new ArrayList<>(workload.contenders);
      Collections.rotate(order, -round);
      return order;
    }

    static int steps(RedisTiming timing) {
      int turns = 0;
      for (RedisWorkload workload : RedisWorkload.values()) {
        turns += workload.contenders.size();
      }
      return turns * (timing.rounds + 1) + RedisContender.KEEPING_STATE.size() + counted().size();
    }
  }
}
