package dev.weir.examples;

import dev.weir.CalendarUnit;
import dev.weir.Claim;
import dev.weir.HeldPermit;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * A gateway to a language model. Requests and tokens per minute, a budget per calendar month, and
 * requests in flight, of each tenant, are one decision: a request that one of them refuses costs
 * nothing in the others.
 *
 * <p>What an answer costs is known when its stream ends, at its end or when the client cancels it.
 * So the most it can cost is taken before, and settled then.
 */
final class ModelGateway {
  static final long REQUESTS_PER_MINUTE = 60;
  static final long TOKENS_PER_MINUTE = 100_000;
  static final long CENTS_PER_MONTH = 50_000;
  static final long AT_ONCE = 4;
  static final long TOKENS_PER_CENT = 100;

  private final RateLimiter limiter;
  private final Policy requests = policy("requests", perMinute(REQUESTS_PER_MINUTE));
  private final Policy tokens = policy("tokens", perMinute(TOKENS_PER_MINUTE));
  private final Policy budget =
      policy(
          "budget",
          Limit.fixedWindow(CENTS_PER_MONTH, CalendarUnit.MONTH, ZoneId.of("Europe/Berlin")));
  private final Policy atOnce;

  /**
   * @param hold how long a request of a process that was killed still counts as in flight
   */
  ModelGateway(LimitStore store, Duration hold) {
    limiter = RateLimiter.forClaims(store);
    atOnce = policy("at-once", Limit.inFlight(AT_ONCE, hold));
  }

  private static Policy policy(String name, Limit limit) {
    return Policy.of("models", name, limit);
  }

  private static Limit perMinute(long permits) {
    return Limit.slidingWindow(permits, Duration.ofMinutes(1));
  }

  List<Claim> claims(String tenant, long tokenCount) {
    return List.of(
        Claim.of(requests, tenant),
        new Claim(tokens, tenant, tokenCount),
        new Claim(budget, tenant, cents(tokenCount)),
        Claim.of(atOnce, tenant));
  }

  static long cents(long tokenCount) {
    return (tokenCount + TOKENS_PER_CENT - 1) / TOKENS_PER_CENT;
  }

  /**
   * Asks the model, unless a limit refuses.
   *
   * @param promptTokens what the question costs, whatever becomes of the answer
   * @param mostTokens the most that the answer may have
   * @param model the tokens of the answer, one by one
   */
  Optional<AnswerStream> ask(
      String tenant, long promptTokens, long mostTokens, Iterator<String> model) {
    HeldPermit permit = limiter.hold(claims(tenant, promptTokens + mostTokens));
    return permit.decision().allowed()
        ? Optional.of(new AnswerStream(tenant, permit, promptTokens, model))
        : Optional.empty();
  }

  /** What each limit has left, in the order of the claims. */
  List<Long> remaining(String tenant) {
    return limiter.peek(claims(tenant, 0)).outcomes().stream().map(o -> o.remaining()).toList();
  }

  /** An answer on its way to a client; closed when it ends, also if the client cancels it. */
  final class AnswerStream implements AutoCloseable {
    private final String tenant;
    private final HeldPermit permit;
    private final Iterator<String> model;
    private long used;

    private AnswerStream(
        String tenant, HeldPermit permit, long promptTokens, Iterator<String> model) {
      this.tenant = tenant;
      this.permit = permit;
      this.used = promptTokens;
      this.model = model;
    }

    Optional<String> next() {
      if (!model.hasNext()) {
        return Optional.empty();
      }
      used++;
      return Optional.of(model.next());
    }

    /** Settles what the answer cost, and releases its slot. */
    @Override
    public void close() {
      permit.close();
      permit
          .decision()
          .receipt()
          .ifPresent(receipt -> limiter.settle(receipt, claims(tenant, used)));
    }
  }
}
