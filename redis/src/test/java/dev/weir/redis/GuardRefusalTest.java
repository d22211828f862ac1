package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailurePolicy;
import dev.weir.Source;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * FAULTS 54: a server that answers with errors is reported once, with its reason, until it ends.
 */
@Tag("slow")
@Timeout(120)
final class GuardRefusalTest {
  private static final int CALLS = 500;

  private RedisProcess redis;

  private enum Refusal {
    OOM,
    READONLY,
    NOPERM;

    void begin(RedisProcess redis) {
      switch (this) {
        case OOM -> redis.command("CONFIG", "SET", "maxmemory", "1");
        case READONLY -> redis.command("REPLICAOF", "127.0.0.1", "1");
        case NOPERM -> redis.command("ACL", "SETUSER", "default", "-evalsha");
      }
    }

    void end(RedisProcess redis) {
      switch (this) {
        case OOM -> redis.command("CONFIG", "SET", "maxmemory", "0");
        case READONLY -> redis.command("REPLICAOF", "NO", "ONE");
        case NOPERM -> redis.command("ACL", "SETUSER", "default", "+evalsha");
      }
    }
  }

  @BeforeEach
  void start() {
    redis = RedisProcess.start();
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  @ParameterizedTest
  @EnumSource(Refusal.class)
  void aServerThatRefusesIsReportedOnceUntilItAccepts(Refusal refusal) {
    try (LogLines log = LogLines.of("dev.weir");
        GuardedInstance instance = GuardedInstance.withPolicy(redis.uri(), FailurePolicy.ALLOW)) {
      instance.decide("key");
      refusal.begin(redis);
      instance.awaitSource("key", Source.FALLBACK);
      instance.decide("key", CALLS);
      Awaitility.await().until(() -> instance.events.contains("refuses"));
      assertThat(instance.store.warnings()).anyMatch(line -> line.contains(refusal.name()));
      refusal.end(redis);
      long start = System.nanoTime();
      Awaitility.await()
          .atMost(GuardedInstance.SOON)
          .until(
              () -> {
                instance.decide("another");
                return instance.events.contains("accepts");
              });
      Duration recovery = Duration.ofNanos(System.nanoTime() - start);
      assertThat(instance.events).containsOnlyOnce("refuses", "accepts");
      assertThat(log.lines())
          .filteredOn(line -> line.contains("refuses") || line.contains("accepts calls again"))
          .hasSize(2);
      assertThat(instance.store.warnings()).noneMatch(line -> line.contains(refusal.name()));
      FaultReport.row(
          "54 " + refusal + " behind guards",
          CALLS,
          "answered by policy; told, warned of and logged once, with the reason",
          instance.longest,
          recovery);
    }
  }
}
