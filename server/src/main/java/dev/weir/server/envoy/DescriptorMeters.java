package dev.weir.server.envoy;

import dev.weir.rules.DescriptorMatch;
import dev.weir.rules.DescriptorRate;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters per rule that the reference service has, under its names. Safe for many threads.
 *
 * <p>Values of requests are part of a series only where rules ask for it, and then at most {@value
 * #MAX_SERIES} series exist; what comes after counts under the rule's own path.
 */
public final class DescriptorMeters implements DescriptorListener {
  private static final String PREFIX = "ratelimit.service.rate.limit.";
  private static final int MAX_SERIES = 1000;
  private static final double NEAR = 0.8;

  private final MeterRegistry registry;
  private final Map<Name, Counters> counters = new ConcurrentHashMap<>();

  public DescriptorMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  private record Name(String domain, String path) {}

  private record Counters(
      LongAdder total, LongAdder over, LongAdder near, LongAdder within, LongAdder shadow) {}

  /**
   * How many hits of a request were over a limit, as the reference service counts them: those that
   * were not there.
   *
   * @param left what was left before the request, which did not fit
   */
  static long over(long hits, long left) {
    return hits - Math.min(hits, left);
  }

  /**
   * How many hits of a request were near a limit, as the reference service counts them: those in
   * the last fifth, also of a request that did not fit.
   *
   * @param left what was left before the request
   */
  static long near(long limit, long hits, long left) {
    long lastFifth = limit - (long) Math.floor(limit * NEAR);
    long after = left - Math.min(hits, left);
    return Math.max(0, Math.min(left, lastFifth) - after);
  }

  @Override
  public void answered(String domain, DescriptorStatus status) {
    DescriptorMatch match = status.match();
    DescriptorRate rate = status.rate();
    if (match == null || rate == null) {
      return;
    }
    Counters found = counters(domain, match);
    long hits = status.hits();
    found.total.add(hits);
    found.near.add(near(rate.requests(), hits, status.before()));
    if (status.fits()) {
      found.within.add(hits);
      return;
    }
    found.over.add(over(hits, status.before()));
    if (match.limit().shadow()) {
      found.shadow.add(hits);
    }
  }

  private Counters counters(String domain, DescriptorMatch match) {
    Name name = new Name(domain, match.metricPath());
    Counters known = counters.get(name);
    if (known != null) {
      return known;
    }
    boolean named = !match.metricPath().equals(match.limit().path());
    if (named && counters.size() >= MAX_SERIES) {
      name = new Name(domain, match.limit().path());
    }
    return counters.computeIfAbsent(name, this::create);
  }

  private Counters create(Name name) {
    return new Counters(
        counter(name, "total.hits", "Hits, whether they passed or not"),
        counter(name, "over.limit", "Hits that were not within the limit"),
        counter(name, "near.limit", "Hits in the last fifth of the limit"),
        counter(name, "within.limit", "Hits of requests that were within the limit"),
        counter(name, "shadow.mode", "Hits of requests that passed only because of shadow mode"));
  }

  /**
   * Labels: key1 is the first key, key2 the rest, as in the reference service's usual mapping. A
   * gauge over a sum, because a counter would be shown with {@code _total} behind the name.
   */
  private LongAdder counter(Name name, String what, String description) {
    int dot = name.path.indexOf('.');
    String first = dot < 0 ? name.path : name.path.substring(0, dot);
    String rest = dot < 0 ? "" : name.path.substring(dot + 1);
    LongAdder sum = new LongAdder();
    Gauge.builder(PREFIX + what, sum, LongAdder::sum)
        .description(description)
        .tags("domain", name.domain, "key1", first, "key2", rest)
        .register(registry);
    return sum;
  }
}
