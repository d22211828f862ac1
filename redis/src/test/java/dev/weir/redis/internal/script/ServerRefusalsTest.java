package dev.weir.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.LogLines;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** FAULTS 54: what is known of servers that answer with errors. */
final class ServerRefusalsTest {
  private static final String OOM = "OOM command not allowed when used memory > 'maxmemory'.";

  private long nowNanos;
  private final ServerRefusals monitor = new ServerRefusals(() -> nowNanos);

  @Test
  void aRefusalIsLoggedOnceAndListedUntilACallIsAccepted() {
    try (LogLines log = LogLines.of(ServerRefusals.class)) {
      for (int i = 0; i < 1000; i++) {
        monitor.refused("a:1", OOM);
      }
      assertThat(monitor.warnings()).containsExactly("Redis at a:1 refuses calls: " + OOM);
      monitor.accepted("b:1");
      assertThat(monitor.any()).isTrue();
      monitor.accepted("a:1");
      monitor.accepted("a:1");
      assertThat(monitor.warnings()).isEmpty();
      assertThat(log.lines())
          .containsExactly(
              "WARNING Redis at a:1 refuses calls: " + OOM,
              "INFO Redis at a:1 accepts calls again");
    }
  }

  @Test
  void anotherReasonIsAnotherLine() {
    try (LogLines log = LogLines.of(ServerRefusals.class)) {
      monitor.refused("a:1", "Redis at a:1: LOADING Redis is loading the dataset in memory");
      monitor.refused("a:1", OOM);
      monitor.refused("b:1", OOM);
      assertThat(log.lines())
          .containsExactly(
              "WARNING Redis at a:1 refuses calls: LOADING Redis is loading the dataset in memory",
              "WARNING Redis at a:1 refuses calls: " + OOM,
              "WARNING Redis at b:1 refuses calls: " + OOM);
      assertThat(monitor.warnings()).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WRONGTYPE Operation against a key holding the wrong kind of value",
        "a key that starts with weir:1:default:{ holds data that is not ours: FOREIGN",
        "ERR unknown command",
      })
  void anErrorAboutOneKeyIsNotTheServers(String message) {
    monitor.refused("a:1", message);
    assertThat(monitor.any()).isFalse();
  }

  @Test
  void withoutRefusalsForAWhileItIsOver() {
    monitor.refused("a:1", OOM);
    nowNanos += Duration.ofSeconds(30).toNanos();
    assertThat(monitor.warnings()).hasSize(1);
    nowNanos++;
    assertThat(monitor.warnings()).isEmpty();
    assertThat(monitor.any()).isFalse();
  }
}
