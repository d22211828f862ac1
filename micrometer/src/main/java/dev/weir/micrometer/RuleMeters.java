package dev.weir.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/** Which rules are in effect, and what became of others. */
final class RuleMeters {
  private final AtomicInteger version = new AtomicInteger();
  private final AtomicInteger active = new AtomicInteger();
  private final AtomicInteger lastRefused = new AtomicInteger();
  private final Counter taken;
  private final Counter refused;

  RuleMeters(MeterRegistry registry) {
    taken = reloads(registry, "taken");
    refused = reloads(registry, "refused");
    gauge(registry, "weir.rules.version", version, "How many versions of the rules were taken");
    gauge(registry, "weir.rules.active", active, "How many rules are in effect");
    gauge(registry, "weir.rules.refused", lastRefused, "1 if the latest version was refused");
  }

  void taken(int rules) {
    version.incrementAndGet();
    active.set(rules);
    lastRefused.set(0);
    taken.increment();
  }

  void refused() {
    lastRefused.set(1);
    refused.increment();
  }

  private static Counter reloads(MeterRegistry registry, String result) {
    return Counter.builder("weir.rules.reloads")
        .description("New versions of the rules, by what became of them")
        .tag("result", result)
        .register(registry);
  }

  private static void gauge(
      MeterRegistry registry, String name, AtomicInteger value, String description) {
    Gauge.builder(name, value, AtomicInteger::get)
        .description(description)
        .strongReference(true)
        .register(registry);
  }
}
