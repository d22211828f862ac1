package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.Limit;
import dev.weir.StoreUnavailableException;
import dev.weir.testkit.FaultProxy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A store that is given a client. */
@Timeout(60)
final class OwnClientTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private static final Limit LIMIT = Limit.fixedWindow(5, Duration.ofDays(1));

  private RedisProcess redis;
  private RedisClient client;

  @BeforeEach
  void start() {
    redis = SERVERS.redis();
    client = RedisClient.create();
  }

  @AfterEach
  void stop() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
  }

  static Stream<Arguments> optionsThatMightSendACallTwice() {
    ClientOptions.Builder options = ClientOptions.builder();
    return Stream.of(
        Arguments.of(options.build(), "DEFAULT with autoReconnect"),
        Arguments.of(
            options.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS).build(),
            "REJECT_COMMANDS with autoReconnect"),
        Arguments.of(
            options
                .autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.ACCEPT_COMMANDS)
                .build(),
            "ACCEPT_COMMANDS"));
  }

  @ParameterizedTest
  @MethodSource("optionsThatMightSendACallTwice")
  void aClientThatMightSendACallTwiceIsRefused(ClientOptions options, String was) {
    client.setOptions(options);
    assertThatThrownBy(() -> RedisStore.builder(client, redis.uri()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "client must not reconnect by itself, and must reject commands while it is"
                + " disconnected, or calls could be sent twice; set"
                + " ClientOptions.autoReconnect(false), was "
                + was);
  }

  /** FAULTS 10. */
  @Test
  void aCallWhoseReplyIsCutOffFailsAndIsCountedOnce() {
    client.setOptions(ClientOptions.builder().autoReconnect(false).build());
    try (FaultProxy proxy = FaultProxy.to(redis.port());
        RedisStore store =
            RedisStore.builder(client, "redis://127.0.0.1:" + proxy.port())
                .timeout(Duration.ofSeconds(5))
                .build()) {
      Asking asking = Asking.about(store, LIMIT);
      for (int i = 0; i < 3; i++) {
        String key = "key-" + i;
        awaitConnection(asking);
        proxy.dropNextReply();
        assertThat(asking.failureOfTake(key)).isNotNull();
        awaitConnection(asking);
        assertThat(asking.peek(key, 1).remaining()).isEqualTo(4);
      }
      FaultReport.row(
          "10 reply dropped, then RST, with a client of the caller's",
          3,
          "fails at the cut, counted once each",
          asking.longest());
    }
  }

  private static void awaitConnection(Asking asking) {
    await()
        .atMost(Duration.ofSeconds(15))
        .ignoreException(StoreUnavailableException.class)
        .until(() -> asking.peek("probe", 1).fits());
  }

  @Test
  void theTimeoutHoldsWhateverTheOptionsOfTheClient() {
    client.setOptions(ClientOptions.builder().autoReconnect(false).build());
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
