package dev.weir.benchmarks.filter;

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

/**
 * A filter as users of Bucket4j write it after its guide: a bucket per address in a map, one field
 * for what remains, one for the wait. It normalises nothing and forgets no address.
 */
final class Bucket4jFilter implements Filter {
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
