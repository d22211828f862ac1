package dev.weir.benchmarks.filter;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.benchmarks.filter.FilteredRequest.PlainRequest;
import dev.weir.http.HttpLimiter;
import dev.weir.http.KeyResolver;
import dev.weir.rules.RuleSet;
import dev.weir.servlet.WeirFilter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The filters, and the decisions inside them. */
public enum FilterContender {
  WEIR_DECISION("Weir, the decision alone"),
  WEIR_KEY("Weir's filter, one limiter by address"),
  WEIR_RULES("Weir's filter, three limits by rules"),
  WEIR_RULES_DECISION("Weir, the decision by three limits alone"),
  BUCKET4J_DECISION("Bucket4j, the decision alone"),
  BUCKET4J_KEY("a filter around Bucket4j, as its guide has it");

  private static final long PERMITS = 1_000_000_000;
  private static final Duration PERIOD = Duration.ofMinutes(1);
  private static final String RULES =
      """
      rules:
        - name: api
          when: {path: /api/**}
          limits:
            - {name: minute, key: ip, limit: 1000000000 per minute}
            - {name: hour, key: ip, limit: 1000000000 per hour}
            - {name: client, key: header.user-agent, limit: 1000000000 per minute}
      """;

  final String title;

  FilterContender(String title) {
    this.title = title;
  }

  /** The decision inside a filter; null if the filter itself is measured. */
  @Nullable Runnable decision() {
    return switch (this) {
      case WEIR_DECISION -> decisionOf(perMinute());
      case WEIR_RULES_DECISION -> decisionByRules();
      case BUCKET4J_DECISION -> decisionOf(new Bucket4jFilter());
      case WEIR_KEY, WEIR_RULES, BUCKET4J_KEY -> null;
    };
  }

  Filter filter() {
    return switch (this) {
      case WEIR_KEY -> WeirFilter.of(HttpLimiter.byKey(KeyResolver.address(), perMinute()).build());
      case WEIR_RULES -> {
        RuleSet rules = RuleSet.parse("benchmark", RULES);
        yield WeirFilter.of(HttpLimiter.byRules(() -> rules, forClaims()).build());
      }
      case BUCKET4J_KEY -> new Bucket4jFilter();
      case WEIR_DECISION, WEIR_RULES_DECISION, BUCKET4J_DECISION ->
          throw new IllegalStateException(this + " is no filter");
    };
  }

  private static RateLimiter perMinute() {
    return RateLimiter.of(Limit.tokenBucket(PERMITS, PERIOD));
  }

  private static RateLimiter forClaims() {
    return RateLimiter.forClaims(MemoryStore.builder().build());
  }

  private static Runnable decisionOf(RateLimiter limiter) {
    return () -> allowed(limiter.async().decide(PlainRequest.ADDRESS).toCompletableFuture().join());
  }

  /**
   * The claims that the rules make of the request, made once: finding them is the filter's work.
   */
  private static Runnable decisionByRules() {
    RateLimiter limiter = forClaims();
    var claims =
        RuleSet.parse("benchmark", RULES)
            .claims(
                name ->
                    switch (name) {
                      case "path" -> PlainRequest.PATH;
                      case "ip" -> PlainRequest.ADDRESS;
                      case "header.user-agent" -> PlainRequest.AGENT;
                      default -> null;
                    });
    return () -> allowed(limiter.async().decide(claims).toCompletableFuture().join());
  }

  private static Runnable decisionOf(Bucket4jFilter filter) {
    return () -> {
      ConsumptionProbe probe = filter.of(PlainRequest.ADDRESS).tryConsumeAndReturnRemaining(1);
      if (!probe.isConsumed()) {
        throw new IllegalStateException("the bucket is empty");
      }
    };
  }

  private static void allowed(Decision decision) {
    if (!decision.allowed()) {
      throw new IllegalStateException("denied: " + decision);
    }
  }

  /**
   * A filter as users of Bucket4j write it after its guide: a bucket per address in a map, one
   * field for what remains, one for the wait. It normalises nothing and forgets no address.
   */
  static final class Bucket4jFilter implements Filter {
    private static final long PERMITS = 1_000_000_000;

    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

    Bucket of(String address) {
      return buckets.computeIfAbsent(
          address,
          added ->
              Bucket.builder()
                  .addLimit(
                      limit -> limit.capacity(PERMITS).refillGreedy(PERMITS, Duration.ofMinutes(1)))
                  .build());
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      HttpServletResponse answer = (HttpServletResponse) response;
      ConsumptionProbe probe = of(request.getRemoteAddr()).tryConsumeAndReturnRemaining(1);
      if (probe.isConsumed()) {
        answer.setHeader("X-Rate-Limit-Remaining", Long.toString(probe.getRemainingTokens()));
        chain.doFilter(request, response);
      } else {
        answer.setStatus(429);
        answer.setHeader(
            "X-Rate-Limit-Retry-After-Seconds",
            Long.toString(TimeUnit.NANOSECONDS.toSeconds(probe.getNanosToWaitForRefill())));
      }
    }
  }
}
