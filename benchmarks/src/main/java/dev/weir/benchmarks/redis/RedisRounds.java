package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.Progress;
import dev.weir.benchmarks.redis.client.Budget;
import dev.weir.benchmarks.redis.client.Client;
import dev.weir.testkit.RedisProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Runs all contenders in turn, round after round, so that what disturbs one disturbs all. */
final class RedisRounds {
  private static final double QUIET = 0.1;

  private final RedisProcess redis;
  private final Pace pace;
  private final Progress progress;
  private final MeasurementRun turn;
  private final RedisMeasurements measured = new RedisMeasurements();
  private final Map<RedisContender, Client> clients = new EnumMap<>(RedisContender.class);

  RedisRounds(RedisProcess redis, Pace pace, Progress progress) {
    this.redis = redis;
    this.pace = pace;
    this.progress = progress;
    this.turn = new MeasurementRun(redis, pace);
  }

  RedisMeasurements run() throws InterruptedException {
    try {
      for (RedisContender contender : RedisContender.values()) {
        clients.put(contender, contender.open(redis.uri(), Budget.AMPLE));
      }
      for (int round = 0; round <= pace.rounds; round++) {
        for (RedisWorkload workload : RedisWorkload.values()) {
          takeTurns(round, workload);
        }
      }
    } finally {
      clients.values().forEach(Client::close);
    }
    count();
    progress.end();
    return measured;
  }

  private void takeTurns(int round, RedisWorkload workload) throws InterruptedException {
    for (RedisContender contender : order(round, workload)) {
      progress.next(
          "round %d of %d, %s".formatted(round, pace.rounds, workload.title), contender.title);
      if (round == 0) { // compiles the code, and makes the keys
        turn.take(workload, contender, clients.get(contender));
      } else {
        measured.add(workload, contender, leastDisturbed(workload, contender));
      }
    }
  }

  /** Tries again when other programs were busy; never by the result, which would be choosing. */
  private RedisSample leastDisturbed(RedisWorkload workload, RedisContender contender)
      throws InterruptedException {
    RedisSample best = turn.take(workload, contender, clients.get(contender));
    for (int attempt = 1; attempt < pace.attempts && best.disturbed() > QUIET; attempt++) {
      RedisSample again = turn.take(workload, contender, clients.get(contender));
      best = again.disturbed() < best.disturbed() ? again : best;
    }
    return best;
  }

  private void count() throws InterruptedException {
    for (RedisContender contender : counted()) {
      progress.next("admitted against allowed", contender.title);
      measured.setCount(contender, Count.take(contender, redis.uri()));
    }
  }

  private static List<RedisContender> counted() {
    List<RedisContender> deciding = new ArrayList<>(RedisContender.SINGLE);
    deciding.remove(RedisContender.RETURN_ONE);
    return deciding;
  }

  /** Another contender begins in each round: none is always the one after a pause. */
  private static List<RedisContender> order(int round, RedisWorkload workload) {
    List<RedisContender> order = new ArrayList<>(workload.contenders);
    Collections.rotate(order, -round);
    return order;
  }

  static int steps(Pace pace) {
    int turns = 0;
    for (RedisWorkload workload : RedisWorkload.values()) {
      turns += workload.contenders.size();
    }
    return turns * (pace.rounds + 1) + counted().size();
  }
}
