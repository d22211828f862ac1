package dev.weir.http;

import dev.weir.AsyncRateLimiter;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.RateLimiter;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.CompletionFailures;
import dev.weir.rules.Attributes;
import dev.weir.rules.InvalidAttributeException;
import dev.weir.rules.RuleSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides about HTTP requests, by rules or by one limiter, and says what to answer. Safe for many
 * threads; never blocks. Every integration is a translation around this, and calls {@link
 * HttpAnswer#release} when a response has ended.
 *
 * <pre>{@code
 * LiveRules rules = new LiveRules(RuleSet.load(Path.of("weir.yaml")));
 * HttpLimiter byRules =
 *     HttpLimiter.byRules(rules, RateLimiter.forClaims(store)).build();
 *
 * RateLimiter perMinute = RateLimiter.of(Limit.tokenBucket(100, Duration.ofMinutes(1)));
 * HttpLimiter byAddress = HttpLimiter.byKey(KeyResolver.address(), perMinute).build();
 * }</pre>
 */
public final class HttpLimiter {
  private final AsyncRateLimiter limiter;
  private final Decider decider;
  private final ClientAddress clientAddress;
  private final RateLimitFields fields;

  private HttpLimiter(Builder builder) {
    this.limiter = builder.limiter;
    this.decider = builder.decider;
    this.clientAddress = builder.clientAddress;
    this.fields = builder.fields;
  }

  /**
   * Decides a request by the claims that were not decided in an earlier step; null if no limit
   * applies.
   */
  private interface Decider {
    @Nullable PendingDecision decide(Attributes request, List<Claim> asked);
  }

  /**
   * A decision that was asked for.
   *
   * @param rules by which it is made; null if by none
   */
  private record PendingDecision(CompletionStage<Decision> decision, @Nullable RuleSet rules) {}

  /**
   * By the rules in effect when a request arrives.
   *
   * @param rules fixed ({@code () -> ruleSet}), or a {@link dev.weir.rules.LiveRules}
   * @param limiter made by {@link RateLimiter#forClaims}
   */
  public static Builder byRules(Supplier<RuleSet> rules, RateLimiter limiter) {
    Objects.requireNonNull(rules, "rules must not be null");
    AsyncRateLimiter async = limiter.async();
    return new Builder(
        async,
        (request, asked) -> {
          RuleSet current = rules.get();
          List<Claim> claims = unasked(current.claims(request), asked);
          return claims.isEmpty() ? null : new PendingDecision(async.decide(claims), current);
        });
  }

  /** By one limiter; each request costs one permit. */
  public static Builder byKey(KeyResolver key, RateLimiter limiter) {
    return byKey(key, request -> 1, limiter);
  }

  /**
   * By one limiter.
   *
   * @param permits what a request costs; 0 or more
   */
  public static Builder byKey(
      KeyResolver key, ToLongFunction<Attributes> permits, RateLimiter limiter) {
    Objects.requireNonNull(key, "key must not be null");
    Objects.requireNonNull(permits, "permits must not be null");
    AsyncRateLimiter async = limiter.async();
    return new Builder(
        async,
        (request, asked) -> {
          String found = asked.isEmpty() ? key.key(request) : null;
          return found == null
              ? null
              : new PendingDecision(async.decide(found, permits.applyAsLong(request)), null);
        });
  }

  /**
   * Decides, and takes the permits if it allows.
   *
   * <p>The stage is complete already if the store answers at once, as memory does. Else the store
   * completes it on a thread of its own, where a continuation must not block.
   *
   * @return fails only if a store is faulty: one that cannot be reached is an answer
   * @throws RuntimeException what a resolver or an attribute of the application throws
   */
  public CompletionStage<HttpAnswer> decide(IncomingRequest request) {
    return decide(request, HttpAnswer.unlimited(), List.of());
  }

  /**
   * Decides about a request that was allowed before, when less was known of it: asks only for
   * limits that were not asked then, such as those of a user who has been authenticated since.
   *
   * <p>If it denies, what the earlier answer took is given back: a denied request takes nothing.
   *
   * @param earlier the answer of this limiter to the same request
   * @return with the fields of both
   */
  public CompletionStage<HttpAnswer> decideFurther(IncomingRequest request, HttpAnswer earlier) {
    Optional<Decision> before = earlier.decision();
    List<Claim> asked =
        before.stream().flatMap(given -> given.outcomes().stream()).map(Outcome::claim).toList();
    return decide(request, earlier, asked)
        .thenCompose(
            answer ->
                answer.allowed() || before.isEmpty()
                    ? CompletableFuture.completedFuture(answer)
                    : givenBack(before.get(), earlier, answer));
  }

  private CompletionStage<HttpAnswer> givenBack(
      Decision before, HttpAnswer earlier, HttpAnswer denial) {
    earlier.release();
    earlier.expectNoResponse();
    return limiter.refund(before).handle((done, failed) -> denial);
  }

  private CompletionStage<HttpAnswer> decide(
      IncomingRequest request, HttpAnswer earlier, List<Claim> asked) {
    PendingDecision pending;
    try {
      pending = decider.decide(new IncomingAttributes(request, clientAddress), asked);
    } catch (AmbiguousPathException | InvalidAttributeException refused) {
      return CompletableFuture.completedFuture(HttpAnswer.badRequest(refused.getMessage()));
    }
    if (pending == null) {
      return CompletableFuture.completedFuture(earlier);
    }
    RuleSet rules = pending.rules;
    CompletionStage<HttpAnswer> answer =
        pending.decision.handle((decision, failed) -> answer(decision, failed, rules));
    return asked.isEmpty() ? answer : answer.thenApply(given -> given.after(earlier));
  }

  private static List<Claim> unasked(List<Claim> claims, List<Claim> asked) {
    return asked.isEmpty()
        ? claims
        : claims.stream().filter(claim -> asked.stream().noneMatch(claim::sameState)).toList();
  }

  private HttpAnswer answer(
      @Nullable Decision decision, @Nullable Throwable failed, @Nullable RuleSet rules) {
    if (decision != null) {
      HttpAnswer answer = HttpAnswer.of(decision, fields);
      HttpAnswer held = takesSlots(decision) ? answer.holding(limiter.hold(decision)) : answer;
      return rules == null || !rules.looksAtResponses()
          ? held
          : decision
              .receipt()
              .map(receipt -> held.with(new ResponseReport(rules, receipt, limiter)))
              .orElse(held);
    }
    Throwable cause = CompletionFailures.unwrap(failed);
    if (cause instanceof StoreUnavailableException) {
      return HttpAnswer.storeUnavailable();
    }
    throw new CompletionException(cause);
  }

  private static boolean takesSlots(Decision decision) {
    return decision.allowed() && decision.outcomes().stream().anyMatch(KnownWait::isOfSlots);
  }

  /** Settings of an {@link HttpLimiter}. Not safe for many threads. */
  public static final class Builder {
    private final AsyncRateLimiter limiter;
    private final Decider decider;
    private ClientAddress clientAddress = ClientAddress.ofConnection();
    private RateLimitFields fields = RateLimitFields.standard();

    private Builder(AsyncRateLimiter limiter, Decider decider) {
      this.limiter = limiter;
      this.decider = decider;
    }

    /** How the address of the client is found; by default it is the connection's other end. */
    public Builder clientAddress(ClientAddress newClientAddress) {
      clientAddress = Objects.requireNonNull(newClientAddress, "clientAddress must not be null");
      return this;
    }

    /** Which header fields are written; those of the standard by default. */
    public Builder fields(RateLimitFields newFields) {
      fields = Objects.requireNonNull(newFields, "fields must not be null");
      return this;
    }

    public HttpLimiter build() {
      return new HttpLimiter(this);
    }
  }
}
