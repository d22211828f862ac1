package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.spi.Verdict;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The remaining permits of each key in the store's last answer, until the key would be fresh.
 * Bounded: of the keys beyond {@code maxKeys}, those seen longest ago are forgotten. Safe for many
 * threads.
 */
final class LastRemaining {
  private final GenerationalMap<StateKey, Seen> seen;
  private final LongSupplier nowMicros;

  /**
   * @param freshAtMicros when the key is fresh again, if nobody uses it
   */
  private record Seen(long remaining, long freshAtMicros) {}

  LastRemaining(int maxKeys, LongSupplier nowMicros) {
    this.seen = new GenerationalMap<>(maxKeys);
    this.nowMicros = nowMicros;
  }

  void remember(Claim claim, Verdict verdict) {
    long freshAt = nowMicros.getAsLong() + verdict.resetAfterMicros();
    seen.put(StateKey.of(claim), new Seen(verdict.remaining(), freshAt));
  }

  /**
   * Passes the remaining permits of a key to the action, once per answer of the store. Permits that
   * have come back since are not added; if the key is fresh again, the action is not run.
   */
  void drain(Claim claim, LongConsumer action) {
    seen.drain(
        StateKey.of(claim),
        last -> {
          if (nowMicros.getAsLong() < last.freshAtMicros) {
            action.accept(last.remaining);
          }
        });
  }

  void forget(Claim claim) {
    seen.remove(StateKey.of(claim));
  }
}
