package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.spi.Verdict;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * What the store last said was left of each key, for as long as that is of use. Bounded: of the
 * keys beyond {@code maxKeys}, those seen longest ago are forgotten. Safe for many threads.
 */
final class LastRemaining {
  private final GenerationalMap<StateKey, Seen> seen;
  private final LongSupplier nowMicros;

  /**
   * @param freshAtMicros when the key is as good as never used, if nobody uses it
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
   * Hands over what was left of a key, once per answer of the store. Nothing is added for what has
   * come back since, unless all of it has: then nothing is handed over.
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
