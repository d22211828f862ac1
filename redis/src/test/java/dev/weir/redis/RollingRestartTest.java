package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** FAULTS 49: instances that were replaced one by one are not counted twice. */
@Tag("slow")
@Timeout(180)
final class RollingRestartTest {
  private final RedisProcess redis = RedisProcess.start();
  private final List<GuardedInstance> fleet = new ArrayList<>();

  @AfterEach
  void stop() {
    fleet.forEach(GuardedInstance::close);
    redis.close();
  }

  @Test
  void sharesAfterARollingRestartAddUpToTheLimit() {
    for (int i = 0; i < 3; i++) {
      join();
    }
    awaitAll(3);
    for (int i = 0; i < 3; i++) {
      fleet.remove(0).close();
      join();
    }
    awaitAll(3);
    redis.kill();
    fleet.forEach(instance -> instance.decide("key", 200));
    int admitted = fleet.stream().mapToInt(instance -> instance.admittedLocally).sum();
    assertThat(admitted).isEqualTo(99);
    FaultReport.row(
        "49 rolling restart of three instances, then an outage",
        3,
        admitted + " admitted from shares of a third each, bound " + GuardedInstance.LIMIT,
        fleet.get(0).longest);
  }

  private void join() {
    GuardedInstance instance = GuardedInstance.counting(redis.uri());
    fleet.add(instance);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> instance.redis.instances().isPresent());
  }

  private void awaitAll(int count) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(40))
        .untilAsserted(
            () ->
                assertThat(fleet)
                    .extracting(instance -> instance.redis.instances())
                    .containsOnly(OptionalInt.of(count)));
  }
}
