package dev.weir.server.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * How many answers of each kind one call gave, and how long they took. A series begins with its
 * first answer. Used by one event loop.
 */
final class CallMeters {
  private static final int KINDS = 6;

  /** From the time of a decision in memory to the longest that clients wait. */
  private static final Duration[] BUCKETS =
      LongStream.of(
              200, 500, 1_000, 2_000, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000)
          .mapToObj(micros -> Duration.of(micros, ChronoUnit.MICROS))
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final String call;
  private final Timer[] byKind = new Timer[KINDS];

  CallMeters(MeterRegistry registry, String call) {
    this.registry = registry;
    this.call = call;
  }

  void record(int status, long nanos) {
    int kind = status / 100;
    if (byKind[kind] == null) {
      byKind[kind] = timer(kind);
    }
    byKind[kind].record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer timer(int kind) {
    return Timer.builder("weir.http.requests")
        .description("Requests over HTTP, by call and kind of status")
        .tags("call", call, "status", kind + "xx")
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }
}
