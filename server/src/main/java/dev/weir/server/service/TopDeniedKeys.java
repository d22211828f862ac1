package dev.weir.server.service;

import dev.weir.Decision;
import dev.weir.DecisionListener;
import dev.weir.spi.Operation;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The keys that were denied most in the last minutes, in bounded memory. Safe for many threads.
 *
 * @see KeySketch
 */
public final class TopDeniedKeys implements DecisionListener {
  private final KeySketch keys;

  public TopDeniedKeys(LongSupplier nowMillis) {
    keys = new KeySketch(nowMillis);
  }

  /**
   * A key that was denied.
   *
   * @param denials never too low
   * @param atMostTooHigh by how much {@code denials} may be too high
   */
  public record DeniedKey(BlockedKeys.Key key, long denials, long atMostTooHigh) {
    private static DeniedKey of(KeySketch.CountedKey counted) {
      return new DeniedKey(counted.key(), counted.count(), counted.atMostTooHigh());
    }
  }

  @Override
  public void decided(Operation operation, Decision decision) {
    if (!decision.allowed() && operation == Operation.ACQUIRE) {
      decision
          .denying()
          .forEach(outcome -> keys.add(BlockedKeys.Key.of(outcome.claim()), /* times= */ 1));
    }
  }

  /** The most denied first. */
  public List<DeniedKey> top(int most) {
    return keys.top(most).stream().map(DeniedKey::of).toList();
  }
}
