package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.testkit.RedisProcess;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store that is given a client. */
@Timeout(60)
final class OwnClientTest {
  private static final Limit LIMIT = Limit.fixedWindow(5, Duration.ofDays(1));

  private RedisProcess redis;
  private RedisClient client;

  @BeforeEach
  void start() {
    redis = RedisProcess.start();
    client = RedisClient.create();
  }

  @AfterEach
  void stop() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    redis.close();
  }

  @Test
  void aClientThatMightSendACallTwiceIsRefused() {
    assertThatThrownBy(() -> RedisStore.builder(client, redis.uri()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "client must reject commands while it is disconnected, or calls could be sent twice;"
                + " set ClientOptions.disconnectedBehavior(REJECT_COMMANDS), was DEFAULT with"
                + " autoReconnect");
    client.setOptions(
        ClientOptions.builder()
            .autoReconnect(false)
            .disconnectedBehavior(DisconnectedBehavior.ACCEPT_COMMANDS)
            .build());
    assertThatThrownBy(() -> RedisStore.builder(client, redis.uri()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("was ACCEPT_COMMANDS");
  }

  @Test
  void theTimeoutHoldsWhateverTheOptionsOfTheClient() {
    client.setOptions(
        ClientOptions.builder().disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS).build());
    try (RedisStore store =
        RedisStore.builder(client, redis.uri()).timeout(Duration.ofMillis(100)).build()) {
      Asking asking = Asking.about(store, LIMIT);
      redis.suspend();
      assertThat(asking.failureOfTake("key")).hasMessageContaining("did not answer in time");
      assertThat(asking.longest()).isLessThan(Duration.ofSeconds(2));
      redis.resume();
    }
  }

  @Test
  void theClientOutlivesTheStore() {
    client.setOptions(ClientOptions.builder().autoReconnect(false).build());
    for (int i = 1; i <= 2; i++) {
      try (RedisStore store = RedisStore.builder(client, redis.uri()).build()) {
        assertThat(Asking.about(store, LIMIT).take("key", 1).remaining()).isEqualTo(5 - i);
      }
    }
  }
}
