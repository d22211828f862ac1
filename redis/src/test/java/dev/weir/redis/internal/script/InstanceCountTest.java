package dev.weir.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.internal.script.InstanceCount.Departure;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Who is counted among the instances, at a clock moved by hand. */
final class InstanceCountTest {
  private final InstanceCount count = new InstanceCount();
  private long micros = 1_000_000_000;

  @Test
  void nothingIsKnownBeforeTheFirstReply() {
    assertThat(count.highest()).isEmpty();
  }

  @Test
  void anInstanceThatFallsSilentIsRememberedForTenMinutes() {
    hear(3);
    pass(Duration.ofMinutes(9));
    hear(1);
    assertHighest(3);
    pass(Duration.ofMinutes(2));
    hear(1);
    assertHighest(1);
  }

  @Test
  void theLatestReplyIsRememberedThroughALongOutage() {
    hear(3);
    pass(Duration.ofHours(1));
    assertHighest(3);
  }

  @Test
  void anInstanceThatLeavesIsNotCounted() {
    long joined = micros;
    hear(3);
    pass(Duration.ofSeconds(5));
    hear(2, new Departure(joined, micros));
    assertHighest(2);
  }

  /** Each of three is replaced by a new one that starts before the old one stops. */
  @Test
  void aRollingRestartOfThreeCountsThree() {
    long first = micros;
    hear(3);
    for (int i = 0; i < 3; i++) {
      pass(Duration.ofSeconds(5));
      hear(4);
      pass(Duration.ofSeconds(5));
      hear(3, new Departure(first, micros));
    }
    assertHighest(3);
  }

  /** Its time in between was too short for it to be in any earlier number. */
  @Test
  void anInstanceThatCameAndWentIsNotSubtractedFromThoseBefore() {
    hear(3);
    pass(Duration.ofSeconds(5));
    long joined = micros - 3_000_000;
    hear(1, new Departure(joined, micros - 1_000_000)); // the other two have lost their connection
    assertHighest(3);
  }

  private void hear(int alive, Departure... departures) {
    count.heard(micros * 1000, micros, alive, List.of(departures));
  }

  private void pass(Duration time) {
    micros += time.toNanos() / 1000;
  }

  private void assertHighest(int expected) {
    assertThat(count.highest()).isEqualTo(OptionalInt.of(expected));
  }
}
