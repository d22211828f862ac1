package dev.weir.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class AdaptiveSpinTest {
  private static final int TWO_PROCESSORS = 2;

  /** Every look at this clock takes 10 us. */
  private final AtomicLong nanos = new AtomicLong();

  private final AdaptiveSpin spin = new AdaptiveSpin(() -> nanos.getAndAdd(10_000), TWO_PROCESSORS);
  private final AtomicInteger checks = new AtomicInteger();

  @Test
  void endsAsSoonAsItHasHappened() {
    assertThat(spin.until(() -> checks.incrementAndGet() == 5, () -> true)).isTrue();
    assertThat(checks).hasValue(5);
  }

  @Test
  void endsInVainAfterItsTime() {
    assertThat(spin.until(this::never, () -> true)).isFalse();
    assertThat(nanos.get()).isBetween(200_000L, 250_000L);
  }

  @Test
  void endsWhenItMayNotGoOn() {
    assertThat(spin.until(this::never, () -> checks.get() == 0)).isFalse();
    assertThat(spins()).as("that was not in vain").isTrue();
  }

  @Test
  void doublesTheWaitsWithoutASpinUpToABound() {
    assertThat(spins()).isTrue();
    for (int skipped = 1; skipped <= AdaptiveSpin.MAX_SKIPPED; skipped *= 2) {
      assertThat(skippedUntilTheNextSpin()).isEqualTo(skipped);
    }
    assertThat(skippedUntilTheNextSpin()).isEqualTo(AdaptiveSpin.MAX_SKIPPED);
  }

  @Test
  void beginsAnewAfterASpinThatPaidOff() {
    spins();
    skippedUntilTheNextSpin(); // in vain for the second time
    skip(2);
    assertThat(spin.until(() -> true, () -> true)).isTrue();
    assertThat(spins()).isTrue();
    assertThat(skippedUntilTheNextSpin()).isEqualTo(1);
  }

  @Test
  void asksOnlyOnceWithASingleProcessor() {
    AdaptiveSpin alone = new AdaptiveSpin(nanos::get, 1);

    assertThat(alone.until(this::never, () -> true)).isFalse();
    assertThat(checks).hasValue(1);
  }

  private boolean never() {
    checks.incrementAndGet();
    return false;
  }

  /** Whether it spins the next time, in vain. */
  private boolean spins() {
    long before = nanos.get();
    spin.until(this::never, () -> true);
    return nanos.get() > before;
  }

  /** Ends with a spin in vain. */
  private int skippedUntilTheNextSpin() {
    int skipped = 0;
    while (!spins()) {
      skipped++;
    }
    return skipped;
  }

  private void skip(int waits) {
    for (int i = 0; i < waits; i++) {
      assertThat(spins()).isFalse();
    }
  }
}
