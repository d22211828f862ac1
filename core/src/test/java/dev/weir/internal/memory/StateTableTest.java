package dev.weir.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.internal.arithmetic.Meter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A table that a flood of keys has left behind gets small again. */
final class StateTableTest {
  private static final int FLOOD = 100_000;

  private final Meter meter = Meter.of(Limit.tokenBucket(5, Duration.ofSeconds(1)));
  private final KeyEvictor evictor =
      new KeyEvictor(new MemoryBudget(Long.MAX_VALUE, Long.MAX_VALUE), List.of());
  private final StateTable table = new StateTable(evictor);

  @Test
  void aTableThatHasBecomeSparseIsReplacedByASmallOneWithTheSameKeys() {
    for (int i = 0; i < FLOOD; i++) {
      LockedState held = table.hold("key-" + i, meter, 0);
      meter.take(held, 0, 1);
      held.release();
    }
    assertThat(table.shrinkIfSparse()).as("all keys are in use").isFalse();
    for (int i = 1; i < FLOOD; i++) {
      table.drop("key-" + i, table.hold("key-" + i, meter, 0));
    }
    assertThat(table.shrinkIfSparse()).isTrue();
    assertThat(table.largestSize()).isEqualTo(1);
    assertThat(meter.remaining(table.hold("key-0", meter, 0), 0)).isEqualTo(4);
  }
}
