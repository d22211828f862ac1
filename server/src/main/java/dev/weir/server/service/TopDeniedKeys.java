package dev.weir.server.service;

import dev.weir.Claim;
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
  private final PenalizedKeys penalized;

  public TopDeniedKeys(LongSupplier nowMillis) {
    keys = new KeySketch(nowMillis);
    penalized = new PenalizedKeys(nowMillis);
  }

  /**
   * A key that was denied.
   *
   * @param denials never too low
   * @param atMostTooHigh by how much {@code denials} may be too high
   * @param penaltyMillis until a key that a penalty blocks can pass again; 0 if none does
   */
  public record DeniedKey(
      BlockedKeys.Key key, long denials, long atMostTooHigh, long penaltyMillis) {}

  @Override
  public void decided(Operation operation, Decision decision) {
    if (operation != Operation.CHARGE) {
      penalized.decided(decision);
    }
    if (!decision.allowed() && operation == Operation.ACQUIRE) {
      decision
          .denying()
          .forEach(outcome -> keys.add(BlockedKeys.Key.of(outcome.claim()), /* times= */ 1));
    }
  }

  /** The most denied first. */
  public List<DeniedKey> top(int most) {
    return keys.top(most).stream().map(this::denied).toList();
  }

  private DeniedKey denied(KeySketch.CountedKey counted) {
    return new DeniedKey(
        counted.key(),
        counted.count(),
        counted.atMostTooHigh(),
        penalized.leftMillis(counted.key()));
  }

  /** Notes that the penalties of these keys were lifted. */
  public void lifted(List<Claim> claims) {
    claims.forEach(penalized::remove);
  }
}
