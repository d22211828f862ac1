package dev.weir.testkit;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store that is opened before each test of the contract and closed after it. */
abstract class OpenedStore {
  static final Duration SECOND = Duration.ofSeconds(1);
  static final Duration MICRO = Duration.ofNanos(1000);

  final ManualTime time = new ManualTime();
  final String rule = "contract-" + UUID.randomUUID();
  LimitStore store;

  /** A store that this clock decides for; it is closed after each test. */
  protected abstract LimitStore open(TimeSource time);

  @BeforeEach
  void openStore() {
    time.set(Instant.parse("2026-11-01T10:00:00Z"));
    store = open(time);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  RateLimiter limiter(Limit... limits) {
    RateLimiter.Builder builder = RateLimiter.builder().name(rule).store(store).time(time);
    for (int i = 0; i < limits.length; i++) {
      builder.limit("limit-" + (i + 1), limits[i]);
    }
    return builder.build();
  }
}
