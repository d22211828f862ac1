package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.AsyncRateLimiter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.spi.Operation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A key that was reset or given back is not denied from memory, whatever was under way. */
final class DenyCacheResetTest {
  private final HeldStore store = new HeldStore(MemoryStore.create());
  private final RateLimiter limiter =
      RateLimiter.builder()
          .name("reset")
          .limit("one", Limit.fixedWindow(1, Duration.ofDays(1)))
          .store(new DenyCacheStore(store, Duration.ofHours(1), 1000, System::nanoTime))
          .build();
  private final AsyncRateLimiter async = limiter.async();

  @Test
  void aDenialThatIsAnsweredBeforeTheStoreHasResetIsForgotten() {
    limiter.decide("key");
    store.holdsResets = true;
    CompletableFuture<Void> reset = async.reset("key").toCompletableFuture();
    assertThat(limiter.decide("key").allowed()).isFalse();
    assertThat(limiter.decide("key").source()).isEqualTo(Source.DENY_CACHE);
    store.heldResets.remove().run();
    reset.join();
    assertThat(limiter.decide("key").allowed()).isTrue();
  }

  @Test
  void aDenialThatWasUnderWayDuringAResetIsNotRemembered() {
    limiter.decide("key");
    store.holds = operation -> operation == Operation.ACQUIRE;
    CompletableFuture<Decision> denied = async.decide("key").toCompletableFuture();
    store.holds = operation -> false;
    limiter.reset("key");
    store.held.remove().deliver();
    assertThat(denied.join().allowed()).isFalse();
    assertThat(limiter.decide("key").allowed()).isTrue();
  }

  @Test
  void aDenialThatWasUnderWayDuringARefundIsNotRemembered() {
    Decision taken = limiter.decide("key");
    store.holds = operation -> operation == Operation.ACQUIRE;
    CompletableFuture<Decision> denied = async.decide("key").toCompletableFuture();
    store.holds = operation -> false;
    limiter.refund(taken);
    store.held.remove().deliver();
    assertThat(denied.join().allowed()).isFalse();
    assertThat(limiter.decide("key").allowed()).isTrue();
  }
}
