package dev.weir.micrometer;

import dev.weir.LeaseStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What leases of hot keys do. Keys are no labels: there are too many of them. */
final class LeaseMeters {
  private LeaseMeters() {}

  static void bind(Supplier<LeaseStatus> leases, MeterRegistry registry) {
    counter("weir.lease.calls", "Calls to the store for a lease", leases, LeaseStatus::calls)
        .register(registry);
    String decided = "Requests that were decided in this process, without a call";
    counter("weir.lease.decisions", decided, leases, LeaseStatus::allowed)
        .tag("result", "allowed")
        .register(registry);
    counter("weir.lease.decisions", decided, leases, LeaseStatus::denied)
        .tag("result", "denied")
        .register(registry);
    String permits = "Permits taken in advance, and those of them that were not spent";
    counter("weir.lease.permits", permits, leases, LeaseStatus::leased)
        .tag("fate", "leased")
        .register(registry);
    counter("weir.lease.permits", permits, leases, LeaseStatus::returned)
        .tag("fate", "returned")
        .register(registry);
    counter("weir.lease.permits", permits, leases, LeaseStatus::expired)
        .tag("fate", "expired")
        .register(registry);
    Gauge.builder("weir.lease.held", leases, LeaseMeters::unspent)
        .description("Permits that can be spent in this process now")
        .strongReference(true)
        .register(registry);
  }

  private static FunctionCounter.Builder<Supplier<LeaseStatus>> counter(
      String name,
      String description,
      Supplier<LeaseStatus> leases,
      ToDoubleFunction<LeaseStatus> value) {
    return FunctionCounter.builder(name, leases, source -> value.applyAsDouble(source.get()))
        .description(description);
  }

  private static double unspent(Supplier<LeaseStatus> leases) {
    return leases.get().held().stream().mapToLong(LeaseStatus.Held::unspent).sum();
  }
}
