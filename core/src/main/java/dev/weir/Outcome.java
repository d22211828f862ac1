package dev.weir;

import dev.weir.Receipt.Grant;
import dev.weir.internal.Micros;
import dev.weir.spi.Verdict;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The answer for one claim of a {@link Decision}. Immutable.
 *
 * <p>Durations are exact to the microsecond.
 */
public final class Outcome {
  private final Claim claim;
  private final Verdict verdict;

  Outcome(Claim claim, Verdict verdict) {
    this.claim = claim;
    this.verdict = verdict;
  }

  public Claim claim() {
    return claim;
  }

  public Policy policy() {
    return claim.policy();
  }

  /**
   * Whether the permits of this claim were there, whatever became of the other claims. For a shadow
   * policy: whether it would have been allowed if it were enforced. For a charge: whether it left
   * no debt.
   */
  public boolean allowed() {
    return verdict.fits();
  }

  /**
   * Whether the state of the limit is known. If not, a failure policy answered without it: {@link
   * #remaining}, {@link #retryAfter} and {@link #resetAfter} are then zero and mean nothing.
   */
  public boolean stateKnown() {
    return verdict.failure() == null;
  }

  /** Permits another request could take at this instant. */
  public long remaining() {
    return verdict.remaining();
  }

  /** Whether so much of a window is used that the limit's warn-at is reached. */
  public boolean warning() {
    return stateKnown()
        && policy().limit() instanceof Limit.FixedWindow window
        && window.warnAtPercent().isPresent()
        && remaining() <= window.permits() - window.warnAtPermits().getAsLong();
  }

  /**
   * Whether this answer is the one that reached the limit's warn-at: the first of its key's window,
   * among all instances that share the store.
   */
  public boolean firstWarning() {
    return verdict.firstWarning();
  }

  /** The smallest wait after which this claim fits; zero, or {@link Decision#NEVER}. */
  public Duration retryAfter() {
    long micros = verdict.retryAfterMicros();
    boolean never = micros == Verdict.NEVER || claim.isBlocked() && !verdict.fits();
    return never ? Decision.NEVER : Micros.toDuration(micros);
  }

  /** Until the key is fresh again, if nobody uses it. */
  public Duration resetAfter() {
    return Micros.toDuration(verdict.resetAfterMicros());
  }

  /** The store's time of this answer, in microseconds since 1970; 0 if the state is not known. */
  public long atMicros() {
    return verdict.atMicros();
  }

  public Source source() {
    return verdict.source();
  }

  /** The same answer with a later state. */
  Outcome with(Verdict after) {
    return after.isFailure()
        ? this
        : new Outcome(claim, after.withFirstWarning(verdict.firstWarning()));
  }

  Grant grant(Optional<UUID> holder) {
    return new Grant(claim, OptionalLong.of(verdict.atMicros()), holder);
  }

  boolean isQuota() {
    return policy().mode() == Mode.QUOTA;
  }

  boolean denies() {
    return !verdict.fits() && policy().enforced();
  }

  @Override
  public String toString() {
    return policy().rule()
        + "/"
        + policy().name()
        + (allowed() ? " allowed" : " denied")
        + ", remaining "
        + remaining();
  }
}
