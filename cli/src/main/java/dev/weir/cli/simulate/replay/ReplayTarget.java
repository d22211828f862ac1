package dev.weir.cli.simulate.replay;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.TimeSource;
import dev.weir.cli.simulate.input.LoggedRequest;
import dev.weir.cli.simulate.input.MalformedLineException;
import dev.weir.cli.simulate.replay.UnusedLimits.UnusedLimit;
import dev.weir.redis.StoreAddress;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * One set of rules over a store of its own: decides requests as in production, at the time of a
 * virtual clock. Not safe for many threads.
 */
public final class ReplayTarget implements AutoCloseable {
  /** Long, because a failure would end the whole replay. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The attribute that says how the application responded. */
  private static final String STATUS = "status";

  private final RuleSet rules;
  private final LimitStore store;
  private final RateLimiter limiter;
  private final Set<String> unseen;

  private ReplayTarget(RuleSet rules, LimitStore store) {
    this.rules = rules;
    this.store = store;
    this.limiter = RateLimiter.forClaims(store);
    this.unseen = new TreeSet<>(rules.attributes());
  }

  /**
   * Opens a store that is empty: in Redis, a namespace that only this replay knows and whose keys
   * expire by themselves.
   */
  public static ReplayTarget open(RuleSet rules, StoreAddress address, TimeSource clock) {
    LimitStore store =
        address.open(
            memory -> memory.time(clock).build(),
            redis ->
                redis
                    .namespace("simulate-" + UUID.randomUUID())
                    .connectTimeout(PATIENCE)
                    .timeout(PATIENCE)
                    .clientTime(clock)
                    .build());
    return new ReplayTarget(rules, store);
  }

  /**
   * Decides a request.
   *
   * @throws MalformedLineException if an attribute that holds a cost is not a number
   * @throws StoreUnavailableException if the store fails, whatever the failure policies say
   */
  public Decision decide(LoggedRequest line) {
    if (!unseen.isEmpty()) {
      unseen.removeIf(line.values()::containsKey);
    }
    List<Claim> claims = claims(line);
    Decision decision = limiter.decide(claims);
    if (decision.source() == Source.FALLBACK) {
      throw new StoreUnavailableException(
          "the store stopped answering, and the rest would be guesses");
    }
    giveBack(line, decision);
    return decision;
  }

  /** At once, because a log does not say how long a response took. */
  private void giveBack(LoggedRequest line, Decision decision) {
    OptionalInt status = status(line);
    if (status.isPresent()) {
      decision
          .receipt()
          .flatMap(receipt -> rules.givenBack(receipt, status.getAsInt()))
          .ifPresent(limiter::refund);
    }
  }

  /** Whether the limit of a claim counts the response that the log names. */
  boolean isCounted(LoggedRequest line, Claim claim) {
    OptionalInt status = status(line);
    return status.isEmpty()
        || rules.givenBack(Receipt.undated(List.of(claim)), status.getAsInt()).isEmpty();
  }

  /** Empty if there is none, or no limit looks at it. */
  private OptionalInt status(LoggedRequest line) {
    String status = rules.looksAtResponses() ? line.values().get(STATUS) : null;
    return status != null && status.matches("[1-5]\\d\\d")
        ? OptionalInt.of(Integer.parseInt(status))
        : OptionalInt.empty();
  }

  /** The limits that no request has asked so far, and why. */
  public List<UnusedLimit> unused(ReplayStatistics statistics) {
    return UnusedLimits.of(rules, unseen, statistics);
  }

  private List<Claim> claims(LoggedRequest line) {
    try {
      return rules.claims(line.attributes(), line.permits());
    } catch (IllegalArgumentException badCost) {
      throw new MalformedLineException(badCost.getMessage());
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
