package dev.weir.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.MemoryStore;
import dev.weir.micrometer.WeirMetrics;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Percentiles of the last seconds, from the histogram of the metrics. */
final class StoreLatencyTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final StoreLatency latency = new StoreLatency(registry);

  @Test
  void nothingIsKnownWithoutCalls() {
    latency.tick();
    assertThat(latency.micros(0.5)).isEmpty();
    timer();
    latency.tick();
    latency.tick();
    assertThat(latency.micros(0.5)).isEmpty();
  }

  @Test
  void theMedianAndTheSlowestAreInTheirBuckets() {
    Timer timer = timer();
    latency.tick();
    for (int i = 0; i < 97; i++) {
      timer.record(Duration.ofNanos(1_500_000));
    }
    for (int i = 0; i < 3; i++) {
      timer.record(Duration.ofMillis(30));
    }
    latency.tick();
    assertThat(latency.micros(0.5).getAsLong()).isBetween(1_000L, 2_000L);
    assertThat(latency.micros(0.99).getAsLong()).isBetween(20_000L, 50_000L);
  }

  @Test
  void callsOfLongAgoDoNotCount() {
    Timer timer = timer();
    latency.tick();
    timer.record(Duration.ofMillis(30));
    for (int i = 0; i < 12; i++) {
      latency.tick();
    }
    assertThat(latency.micros(0.5)).isEmpty();
  }

  private Timer timer() {
    new WeirMetrics(registry).timed(MemoryStore.create());
    return registry.get("weir.store.latency").tags("call", "decide", "result", "answered").timer();
  }
}
