package dev.weir.http;

import dev.weir.Algorithm;
import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.Policy;
import dev.weir.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
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
 * <p>{@code Retry-After} is on every denial whose end is known: a client that waits so long, and is
 * alone, is admitted. Requests in flight end when they end, so a limit on them has {@code
 * qu="concurrent-requests"} instead of {@code w}, no {@code t}, and no say in {@code Retry-After}.
 */
public final class RateLimitFields {
  private static final String CONCURRENT_REQUESTS = "concurrent-requests";
  private static final RateLimitFields STANDARD =
      new RateLimitFields(RateLimitFieldNames.DRAFT_11, null);

  /** As many policies as most services have; beyond, texts are made anew. */
  private static final int MAX_TEXTS = 1000;

  private final RateLimitFieldNames names;
  private final @Nullable LegacyReset legacyReset;

  /** The item of each policy, which every answer repeats. */
  private final Map<Policy, String> policyTexts = new ConcurrentHashMap<>();

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
    write(decision, fields::put);
    return Collections.unmodifiableMap(fields);
  }

  /** Passes the same names and values on, one field after the other. */
  public void write(Decision decision, BiConsumer<String, String> fields) {
    Collection<Outcome> shown = OutcomeSelection.shown(decision);
    if (!shown.isEmpty()) {
      writeLimits(shown, fields);
    }
    if (!decision.allowed()) {
      writeDenial(KnownWait.of(decision), fields);
    }
  }

  private void writeLimits(Collection<Outcome> shown, BiConsumer<String, String> fields) {
    StructuredFieldList states = new StructuredFieldList();
    Outcome tightest = null;
    for (Outcome outcome : shown) {
      if (OutcomeSelection.known(outcome)) {
        addState(outcome, states);
        tightest = tightest == null ? outcome : OutcomeSelection.tighter(tightest, outcome);
      }
    }
    fields.accept(names.policies(), policies(shown));
    if (tightest != null) {
      fields.accept(names.states(), states.toString());
      writeLegacy(tightest, fields);
    }
  }

  private String policies(Collection<Outcome> shown) {
    return shown.size() == 1
        ? text(shown.iterator().next())
        : shown.stream().map(this::text).collect(Collectors.joining(", "));
  }

  private String text(Outcome outcome) {
    Policy policy = outcome.policy();
    if (outcome.claim().isBlocked()) {
      return policyText(policy, 0); // whatever its limit has, nothing passes
    }
    String known = policyTexts.get(policy);
    if (known == null) {
      if (policyTexts.size() >= MAX_TEXTS) {
        policyTexts.clear();
      }
      known = policyTexts.computeIfAbsent(policy, each -> policyText(each, each.limit().permits()));
    }
    return known;
  }

  private String policyText(Policy policy, long quota) {
    StructuredFieldList item = new StructuredFieldList();
    Duration period = policy.limit().period();
    item.item(policy.name());
    item.parameter(names.quota(), quota);
    if (policy.limit().algorithm() == Algorithm.IN_FLIGHT) {
      item.parameter(names.unit(), CONCURRENT_REQUESTS);
    } else if (period.getNano() == 0) {
      item.parameter(names.window(), period.getSeconds());
    }
    return item.toString();
  }

  private void addState(Outcome outcome, StructuredFieldList states) {
    states.item(outcome.policy().name());
    states.parameter(names.remaining(), OutcomeSelection.remaining(outcome));
    Duration until = until(outcome);
    if (until != null) {
      states.parameter(names.until(), WholeSeconds.roundedUp(until));
    }
  }

  private void writeLegacy(Outcome outcome, BiConsumer<String, String> fields) {
    LegacyReset reset = legacyReset;
    if (reset == null) {
      return;
    }
    fields.accept("X-RateLimit-Limit", Long.toString(outcome.policy().limit().permits()));
    fields.accept("X-RateLimit-Remaining", Long.toString(OutcomeSelection.remaining(outcome)));
    Duration until = until(outcome);
    if (until != null) {
      fields.accept("X-RateLimit-Reset", Long.toString(reset.seconds(until)));
    }
  }

  private static void writeDenial(
      Optional<Duration> retryAfter, BiConsumer<String, String> fields) {
    retryAfter.ifPresent(
        wait ->
            fields.accept("Retry-After", Long.toString(Math.max(1, WholeSeconds.roundedUp(wait)))));
    fields.accept("Cache-Control", "no-store");
  }

  /**
   * Until the limit admits the request or, if it did, until it is fresh; null for never, and for
   * requests in flight, which end when they end.
   */
  private static @Nullable Duration until(Outcome outcome) {
    if (KnownWait.isOfSlots(outcome)) {
      return null;
    }
    if (outcome.allowed()) {
      return outcome.resetAfter();
    }
    Duration retryAfter = outcome.retryAfter();
    return retryAfter.equals(Decision.NEVER) ? null : retryAfter;
  }
}
