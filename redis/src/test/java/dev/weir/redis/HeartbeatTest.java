package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.OptionalInt;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How many instances share a limit, as they tell each other through the server. */
final class HeartbeatTest {
  private static final String KEY = "weir:1:default:{instances}";

  @Test
  void instancesHearOfEachOtherAndAreNotForgottenAtOnce() {
    try (RedisProcess redis = RedisProcess.start();
        RedisStore first = RedisStore.connect(redis.uri())) {
      assertThat(redis.command("EXISTS", KEY)).isEqualTo(":0");
      try (RedisStore second = RedisStore.connect(redis.uri())) {
        second.instances();
        awaitInstances(second, 1);
        first.instances();
        awaitInstances(first, 2);
        awaitInstances(second, 2);
      }
      assertThat(first.instances()).isEqualTo(OptionalInt.of(2));
      assertThat(redis.command("PTTL", KEY).substring(1))
          .satisfies(ttl -> assertThat(Long.parseLong(ttl)).isPositive());
    }
  }

  private static void awaitInstances(RedisStore store, int count) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> store.instances().equals(OptionalInt.of(count)));
  }
}
