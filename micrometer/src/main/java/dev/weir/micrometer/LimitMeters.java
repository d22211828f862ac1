package dev.weir.micrometer;

import dev.weir.Mode;
import dev.weir.Outcome;
import dev.weir.Source;
import dev.weir.internal.text.KebabCase;
import dev.weir.micrometer.WeirMetrics.LimitName;
import dev.weir.spi.Operation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.distribution.TimeWindowMax;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The series of one limit. A counter exists from the first time it counts something. */
final class LimitMeters {
  /** From here on a request that passes is near the limit. */
  private static final double NEAR = 0.8;

  private static final long UTILISATION_MILLIS = 60_000;
  private static final int UTILISATION_PARTS = 3;

  private static final int MODES = Mode.values().length;
  private static final int SOURCES = Source.values().length;
  private static final int OPERATIONS = Operation.values().length;

  private final MeterRegistry registry;
  private final LimitName name;
  private final AtomicReferenceArray<Counter> decisions =
      new AtomicReferenceArray<>(OPERATIONS * SOURCES * MODES * 2);
  private final Counter permits;
  private final Counter nearLimit;
  private final TimeWindowMax utilisation;

  LimitMeters(MeterRegistry registry, LimitName name) {
    this.registry = registry;
    this.name = name;
    permits =
        Counter.builder("weir.permits")
            .description("Permits taken; its rate is the current rate of the limit")
            .tags(name.tags())
            .register(registry);
    nearLimit =
        Counter.builder("weir.near.limit")
            .description("Requests that passed with 20 % or less of the capacity left")
            .tags(name.tags())
            .register(registry);
    utilisation =
        new TimeWindowMax(
            registry.config().clock(), UTILISATION_MILLIS / UTILISATION_PARTS, UTILISATION_PARTS);
    Gauge.builder("weir.utilisation", utilisation, TimeWindowMax::poll)
        .description("Of the key that has used most in the last minute: how much of its capacity")
        .tags(name.tags())
        .strongReference(true)
        .register(registry);
  }

  void count(Operation operation, Outcome outcome, boolean decisionAllowed) {
    decisions(operation, outcome).increment();
    if (outcome.source() == Source.FALLBACK || outcome.claim().isBlocked()) {
      return; // the state is unknown, or does not matter
    }
    double capacity = outcome.policy().limit().capacity();
    double used = 1 - outcome.remaining() / capacity;
    utilisation.record(used);
    boolean fits = outcome.allowed() || operation == Operation.CHARGE;
    boolean takes = operation != Operation.PEEK && outcome.claim().permits() > 0;
    if (takes && decisionAllowed && fits) {
      permits.increment(taken(operation, outcome));
      if (used >= NEAR) {
        nearLimit.increment();
      }
    }
  }

  /** Counted from the first warning on: few limits have any. */
  void warned() {
    Counter.builder("weir.warnings")
        .description("Windows of keys in which the warn-at of the limit was reached")
        .tags(name.tags())
        .register(registry)
        .increment();
  }

  /** A charge stops at a debt of one capacity, so it never takes more than two. */
  private static long taken(Operation operation, Outcome outcome) {
    long asked = outcome.claim().permits();
    return operation == Operation.CHARGE
        ? Math.min(asked, 2 * outcome.policy().limit().capacity())
        : asked;
  }

  private Counter decisions(Operation operation, Outcome outcome) {
    Mode mode = outcome.policy().mode();
    Source source = outcome.source();
    int place = operation.ordinal() * SOURCES + source.ordinal();
    int index = (place * MODES + mode.ordinal()) * 2 + (outcome.allowed() ? 1 : 0);
    Counter known = decisions.get(index);
    if (known != null) {
      return known;
    }
    Counter fresh = decisions(operation, mode, source, outcome.allowed());
    decisions.set(index, fresh);
    return fresh;
  }

  private Counter decisions(Operation operation, Mode mode, Source source, boolean allowed) {
    return Counter.builder("weir.decisions")
        .description("What each limit said by itself")
        .tags(name.tags())
        .tags("operation", KebabCase.of(operation), "mode", KebabCase.of(mode))
        .tags("source", KebabCase.of(source), "outcome", allowed ? "allowed" : "denied")
        .register(registry);
  }
}
