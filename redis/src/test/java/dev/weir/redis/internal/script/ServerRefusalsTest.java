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
      pass(Duration.ofSeconds(1));
      monitor.accepted("a:1");
      monitor.accepted("a:1");
      assertThat(monitor.warnings()).isEmpty();
      assertThat(log.lines())
          .containsExactly(
              "WARNING Redis at a:1 refuses calls: " + OOM,
              "INFO Redis at a:1 accepts calls again");
    }
  }

  /** At the border of its memory a server takes one write and refuses the next. */
  @Test
  void answersThatAlternateAreOneRefusalUntilNothingWasRefusedForASecond() {
    try (LogLines log = LogLines.of(ServerRefusals.class)) {
      for (int i = 0; i < 1000; i++) {
        monitor.refused("a:1", OOM);
        pass(Duration.ofMillis(10));
        monitor.accepted("a:1");
        pass(Duration.ofMillis(10));
      }
      assertThat(monitor.warnings()).hasSize(1);
      assertThat(log.lines()).containsExactly("WARNING Redis at a:1 refuses calls: " + OOM);
      pass(Duration.ofSeconds(1));
      assertThat(monitor.warnings()).as("the last call was accepted").isEmpty();
      assertThat(log.lines()).hasSize(2).contains("INFO Redis at a:1 accepts calls again");
    }
  }

  @Test
  void rareRefusalsAreReportedLessAndLessOften() {
    try (LogLines log = LogLines.of(ServerRefusals.class)) {
      for (int i = 0; i < 90; i++) { // an hour
        monitor.refused("a:1", OOM);
        pass(Duration.ofSeconds(40));
        monitor.warnings();
      }
      assertThat(log.lines()).hasSize(3);
      assertThat(monitor.warnings()).hasSize(1);
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
    pass(Duration.ofSeconds(30));
    assertThat(monitor.warnings()).hasSize(1);
    nowNanos++;
    assertThat(monitor.warnings()).isEmpty();
    assertThat(monitor.any()).isFalse();
  }

  private void pass(Duration time) {
    nowNanos += time.toNanos();
  }
}
