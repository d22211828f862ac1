package dev.weir.server.envoy;

import dev.weir.AsyncRateLimiter;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.TimeSource;
import dev.weir.rules.DescriptorMatch;
import dev.weir.rules.DescriptorRules;
import dev.weir.rules.RuleSet;
import dev.weir.server.envoy.LimitedDescriptor.Kind;
import dev.weir.server.service.AdminOverrides;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers calls of Envoy's rate-limit protocol by the rules in effect, the blocks and the kill
 * switch. Safe for many threads; never blocks.
 *
 * <p>Descriptors without their own hits are decided together: if one is denied, nothing is taken
 * from any of them. A descriptor with its own hits is always taken, even above the limit, because a
 * report of usage at the end of a stream looks like any other call and must count. A descriptor
 * with 0 hits takes nothing.
 */
public final class DescriptorService {
  private final Supplier<RuleSet> rules;
  private final AsyncRateLimiter limiter;
  private final AdminOverrides overrides;
  private final AccountingModes modes;
  private final DescriptorStatusResolver statuses;
  private final @Nullable DescriptorListener listener;

  /**
   * @param listener notified of every status; null for nobody
   */
  public DescriptorService(
      Supplier<RuleSet> rules,
      AsyncRateLimiter limiter,
      AdminOverrides overrides,
      AccountingModes modes,
      TimeSource time,
      @Nullable DescriptorListener listener) {
    this.rules = rules;
    this.limiter = limiter;
    this.overrides = overrides;
    this.modes = modes;
    this.statuses = new DescriptorStatusResolver(time);
    this.listener = listener;
  }

  /** Decides for a caller who can wait. */
  public CompletionStage<RateLimitAnswer> decide(RateLimitCall call) {
    return decide(call, null);
  }

  /**
   * The stage fails with {@link dev.weir.StoreUnavailableException} if the store cannot answer and
   * the failure policy leaves it to the caller.
   *
   * @param patience how long the caller can wait for the store; null for as long as others
   * @throws InvalidCallException if the call cannot be answered
   */
  public CompletionStage<RateLimitAnswer> decide(RateLimitCall call, @Nullable Duration patience) {
    check(!call.domain().isEmpty(), "rate limit domain must not be empty");
    check(!call.descriptors().isEmpty(), "rate limit descriptor list must not be empty");
    checkCount("descriptors", call.descriptors().size());
    List<@Nullable DescriptorMatch> matches = matches(call);
    List<LimitedDescriptor> lines = new ArrayList<>(matches.size());
    for (int i = 0; i < matches.size() && !overrides.killed(); i++) {
      DescriptorMatch match = matches.get(i);
      if (match != null && !match.limit().unlimited()) {
        lines.add(line(i, match, call));
      }
    }
    AsyncRateLimiter asked = patience == null ? limiter : limiter.within(patience);
    return new DescriptorQuestions(asked, lines, modes.shadow())
        .ask()
        .thenApply(outcomes -> answer(call, matches, lines, outcomes));
  }

  private static void checkCount(String what, int count) {
    check(
        count <= RateLimitCall.MAX_DESCRIPTORS,
        what + " must be at most " + RateLimitCall.MAX_DESCRIPTORS + ", was " + count);
  }

  private static void check(boolean fact, String otherwise) {
    if (!fact) {
      throw new InvalidCallException(otherwise);
    }
  }

  private List<@Nullable DescriptorMatch> matches(RateLimitCall call) {
    DescriptorRules current = rules.get().descriptors();
    List<@Nullable DescriptorMatch> matches = new ArrayList<>(call.descriptors().size());
    for (RateLimitCall.Descriptor descriptor : call.descriptors()) {
      checkCount("entries", descriptor.entries().size());
      RateLimitCall.Override limit = descriptor.limit();
      matches.add(
          limit == null
              ? current.find(call.domain(), descriptor.entries())
              : current.override(
                  call.domain(), descriptor.entries(), limit.requests(), limit.unit()));
    }
    DescriptorRules.dropReplaced(matches);
    return matches;
  }

  private LimitedDescriptor line(int place, DescriptorMatch match, RateLimitCall call) {
    RateLimitCall.Descriptor descriptor = call.descriptors().get(place);
    Kind kind =
        LimitedDescriptor.kind(
            descriptor, modes.countOverLimit() || match.limit().countOverLimit());
    long hits = descriptor.hits() == null ? Math.max(1, call.hits()) : descriptor.hits();
    boolean quota = modes.quota() || match.limit().quota();
    List<Claim> claims =
        overrides.blocks().applyTo(LimitedDescriptor.claims(match, kind, hits, modes.quota()));
    return new LimitedDescriptor(place, match, kind, hits, quota, claims);
  }

  private RateLimitAnswer answer(
      RateLimitCall call,
      List<@Nullable DescriptorMatch> matches,
      List<LimitedDescriptor> lines,
      List<Outcome> outcomes) {
    List<DescriptorStatus> all = new ArrayList<>(matches.size());
    for (DescriptorMatch match : matches) {
      boolean unlimited = match != null && match.limit().unlimited();
      all.add(unlimited ? DescriptorStatus.unlimited(match) : DescriptorStatus.NOT_LIMITED);
    }
    for (LimitedDescriptor line : lines) {
      DescriptorStatus status = statuses.of(line);
      all.set(line.place, status);
      if (listener != null) {
        listener.answered(call.domain(), status);
      }
    }
    boolean over = DescriptorQuestions.deny(lines) && !modes.shadow();
    return new RateLimitAnswer(
        over, all, Decision.combined(!over, outcomes), quotaViolations(lines));
  }

  private static List<Integer> quotaViolations(List<LimitedDescriptor> lines) {
    List<Integer> places = List.of();
    for (LimitedDescriptor line : lines) {
      if (line.quota && !line.shadow() && !line.fits()) {
        places = places.isEmpty() ? new ArrayList<>() : places;
        places.add(line.place);
      }
    }
    return places;
  }
}
