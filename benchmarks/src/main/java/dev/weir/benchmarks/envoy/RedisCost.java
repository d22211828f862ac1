package dev.weir.benchmarks.envoy;

import dev.weir.benchmarks.report.MarkdownTable;
import dev.weir.testkit.RedisProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decisions per second of Redis's processor time: ours through the service, and the reference
 * service's own commands, INCRBY and EXPIRE pipelined.
 */
final class RedisCost {
  private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");

  private final RedisProcess redis;
  private final double seconds;

  RedisCost(RedisProcess redis, double seconds) {
    this.redis = redis;
    this.seconds = seconds;
  }

  MarkdownTable table(int grpcPort, int inFlight) throws InterruptedException {
    MarkdownTable table =
        MarkdownTable.ofNumbers(
            List.of("on Redis", "decisions per second", "decisions per Redis CPU second"));
    double before = cpuSeconds();
    double ours;
    try (GrpcLoad load = new GrpcLoad(grpcPort)) {
      ours = load.perSecond(inFlight, seconds);
    }
    double between = cpuSeconds();
    double theirs = referenceCommands(inFlight);
    double after = cpuSeconds();
    table.row(List.of("the service", whole(ours), whole(ours * seconds / (between - before))));
    table.row(
        List.of(
            "INCRBY and EXPIRE, pipelined",
            whole(theirs),
            whole(theirs * seconds / (after - between))));
    return table;
  }

  private static String whole(double number) {
    return MarkdownTable.number(number);
  }

  private double cpuSeconds() {
    Matcher parts = CPU.matcher(redis.command("INFO", "cpu"));
    double sum = 0;
    while (parts.find()) {
      sum += Double.parseDouble(parts.group(1));
    }
    return sum;
  }

  /** Both commands of a decision go out together, as the reference service sends them. */
  private double referenceCommands(int inFlight) throws InterruptedException {
    RedisClient client = RedisClient.create(redis.uri());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      RedisAsyncCommands<String, String> commands = connection.async();
      Semaphore places = new Semaphore(inFlight);
      long start = System.nanoTime();
      long end = start + (long) (seconds * 1e9);
      long decisions = 0;
      while (System.nanoTime() < end) {
        places.acquire();
        String key = "benchmark_user_user-" + decisions % 1000 + "_1800000000";
        commands.incrby(key, 1);
        commands.expire(key, 86_400).whenComplete((done, failed) -> places.release());
        decisions++;
      }
      places.acquire(inFlight);
      return decisions * 1e9 / (System.nanoTime() - start);
    } finally {
      client.shutdown();
    }
  }
}
