package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The header fields that tell a client of its limits. Immutable, safe for many threads.
 *
 * <pre>{@code
 * RateLimitFields.standard().of(decision).forEach(response::setHeader);
 *
 * RateLimit-Policy: "minute";q=10;w=60, "hour";q=100;w=3600
 * RateLimit: "minute";r=0;t=12, "hour";r=57;t=1807
 * Retry-After: 12
 * Cache-Control: no-store
 * }</pre>
 *
 * <p>Fields follow draft-ietf-httpapi-ratelimit-headers-11. An item carries a limit's name; {@code
 * q} and {@code w} are N and period of "N per period", {@code w} only if it is whole seconds;
 * {@code r} is what remains; {@code t} is the wait until this limit admits the request if it did
 * not, else the time until it is fresh, in seconds rounded up. Shadow policies are absent, and so
 * are unknown values: the state of a limit that a failure policy answered for, the wait of a
 * request that can never pass.
 *
 * <p>{@code Retry-After} is on every denial that can end: a client that waits so long, and is
 * alone, is admitted.
 */
public final class RateLimitFields {
  private static final RateLimitFields STANDARD =
      new RateLimitFields(RateLimitFieldNames.DRAFT_11, null);

  private final RateLimitFieldNames names;
  private final @Nullable LegacyReset legacyReset;

  RateLimitFields(RateLimitFieldNames names, @Nullable LegacyReset legacyReset) {
    this.names = names;
    this.legacyReset = legacyReset;
  }

  /** The fields of the draft, and no others. */
  public static RateLimitFields standard() {
    return STANDARD;
  }

  /**
   * Adds {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset} of the limit to mind
   * most, the reset in seconds from now.
   */
  public RateLimitFields withLegacyDelta() {
    return new RateLimitFields(names, LegacyReset.delta());
  }

  /** As {@link #withLegacyDelta}, but with the reset in seconds since 1970. */
  public RateLimitFields withLegacyEpoch(TimeSource time) {
    Objects.requireNonNull(time, "time must not be null");
    return new RateLimitFields(names, LegacyReset.epoch(time));
  }

  /**
   * Names and values, in the order to write them; values are printable ASCII. Empty if no enforced
   * policy was asked and the request is allowed.
   */
  public Map<String, String> of(Decision decision) {
    Map<String, String> fields = new LinkedHashMap<>();
    Collection<Outcome> shown = OutcomeSelection.shown(decision);
    if (!shown.isEmpty()) {
      addLimits(shown, fields);
    }
    if (!decision.allowed()) {
      addDenial(decision.retryAfter(), fields);
    }
    return Collections.unmodifiableMap(fields);
  }

  private void addLimits(Collection<Outcome> shown, Map<String, String> fields) {
    StructuredFieldList policies = new StructuredFieldList();
    shown.forEach(outcome -> addPolicy(outcome, policies));
    fields.put(names.policies(), policies.toString());

    StructuredFieldList states = new StructuredFieldList();
    shown.stream().filter(OutcomeSelection::known).forEach(outcome -> addState(outcome, states));
    if (!states.isEmpty()) {
      fields.put(names.states(), states.toString());
      shown.stream()
          .filter(OutcomeSelection::known)
          .reduce(OutcomeSelection::tighter)
          .ifPresent(outcome -> addLegacy(outcome, fields));
    }
  }

  private void addPolicy(Outcome outcome, StructuredFieldList policies) {
    Duration period = outcome.policy().limit().period();
    policies.item(outcome.policy().name());
    policies.parameter(names.quota(), outcome.policy().limit().permits());
    if (period.getNano() == 0) {
      policies.parameter(names.window(), period.getSeconds());
    }
  }

  private void addState(Outcome outcome, StructuredFieldList states) {
    states.item(outcome.policy().name());
    states.parameter(names.remaining(), OutcomeSelection.remaining(outcome));
    until(outcome).ifPresent(wait -> states.parameter(names.until(), WholeSeconds.roundedUp(wait)));
  }

  private void addLegacy(Outcome outcome, Map<String, String> fields) {
    LegacyReset reset = legacyReset;
    if (reset == null) {
      return;
    }
    fields.put("X-RateLimit-Limit", Long.toString(outcome.policy().limit().permits()));
    fields.put("X-RateLimit-Remaining", Long.toString(OutcomeSelection.remaining(outcome)));
    until(outcome)
        .ifPresent(wait -> fields.put("X-RateLimit-Reset", Long.toString(reset.seconds(wait))));
  }

  private static void addDenial(Duration retryAfter, Map<String, String> fields) {
    if (!retryAfter.equals(Decision.NEVER)) {
      fields.put("Retry-After", Long.toString(Math.max(1, WholeSeconds.roundedUp(retryAfter))));
    }
    fields.put("Cache-Control", "no-store");
  }

  private static Optional<Duration> until(Outcome outcome) {
    if (outcome.allowed()) {
      return Optional.of(outcome.resetAfter());
    }
    Duration retryAfter = outcome.retryAfter();
    return retryAfter.equals(Decision.NEVER) ? Optional.empty() : Optional.of(retryAfter);
  }
}
