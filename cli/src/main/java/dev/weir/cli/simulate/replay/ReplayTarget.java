package dev.weir.cli.simulate.replay;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.TimeSource;
import dev.weir.cli.simulate.input.LoggedRequest;
import dev.weir.cli.simulate.input.MalformedLineException;
import dev.weir.redis.RedisStore;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * One set of rules over a store of its own: the way a request takes in production, at the time of a
 * virtual clock. For one thread.
 */
public final class ReplayTarget implements AutoCloseable {
  public static final String MEMORY = "memory";

  /** Nobody waits for a single decision of a replay, and a failure would end all of it. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RuleSet rules;
  private final LimitStore store;
  private final RateLimiter limiter;

  private ReplayTarget(RuleSet rules, LimitStore store) {
    this.rules = rules;
    this.store = store;
    this.limiter = RateLimiter.over(store);
  }

  /**
   * Opens a store that is empty: in Redis, a namespace that only this replay knows and whose keys
   * expire by themselves.
   *
   * @param store {@code memory} or an address
   * @throws IllegalArgumentException if it is neither
   */
  public static ReplayTarget open(RuleSet rules, String store, TimeSource clock) {
    if (store.equals(MEMORY)) {
      return new ReplayTarget(rules, MemoryStore.builder().time(clock).build());
    }
    if (!store.startsWith("redis")) {
      throw new IllegalArgumentException("was " + store);
    }
    return new ReplayTarget(
        rules,
        RedisStore.builder(store)
            .namespace("simulate-" + UUID.randomUUID())
            .connectTimeout(PATIENCE)
            .timeout(PATIENCE)
            .clientTime(clock)
            .build());
  }

  /**
   * Decides a request.
   *
   * @throws MalformedLineException if an attribute that holds a cost is not a number
   * @throws StoreUnavailableException if the store fails, whatever the failure policies say
   */
  Decision decide(LoggedRequest line) {
    List<Claim> claims = claims(line);
    Decision decision = limiter.decide(claims);
    if (decision.source() == Source.FALLBACK) {
      throw new StoreUnavailableException(
          "the store stopped answering, and the rest would be guesses");
    }
    return decision;
  }

  private List<Claim> claims(LoggedRequest line) {
    try {
      return rules.claims(line.attributes()::get, line.permits());
    } catch (IllegalArgumentException badCost) {
      throw new MalformedLineException(badCost.getMessage());
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
