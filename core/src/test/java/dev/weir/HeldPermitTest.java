package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.SingleLimitFastPath;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Slots are renewed while a permit is open, all in one call, and released when it is closed. */
final class HeldPermitTest {
  private static final Duration HOLD = Duration.ofSeconds(30);

  private final ManualTime time = new ManualTime();
  private final CountedRenewals store = new CountedRenewals(time);
  private final RateLimiter limiter =
      RateLimiter.builder()
          .name("held")
          .limit("slots", Limit.inFlight(3, HOLD))
          .store(store)
          .time(time)
          .build();

  private static final class CountedRenewals extends ForwardingLimitStore {
    final List<Integer> renewed = new ArrayList<>();
    boolean unreachable;

    CountedRenewals(ManualTime time) {
      super(MemoryStore.builder().time(time).build());
    }

    @Override
    public CompletionStage<List<Boolean>> renew(Receipt slots) {
      if (unreachable) {
        return CompletableFuture.failedFuture(new StoreUnavailableException("unreachable"));
      }
      renewed.add(slots.grants().size());
      return super.renew(slots);
    }

    @Override
    public Optional<SingleLimitFastPath> fastPath(Policy policy) {
      return Optional.empty();
    }
  }

  private void pass(Duration duration) {
    for (long second = 0; second < duration.toSeconds(); second++) {
      time.advance(Duration.ofSeconds(1));
    }
  }

  @Test
  void openPermitsKeepTheirSlotsAndAreRenewedTogether() {
    HeldPermit first = limiter.hold("key");
    HeldPermit second = limiter.hold("other key");
    pass(HOLD.multipliedBy(3));
    assertThat(limiter.peek("key").remaining()).isEqualTo(2);
    assertThat(store.renewed).hasSize(9).containsOnly(2);
    first.close();
    first.close();
    assertThat(limiter.peek("key").remaining()).isEqualTo(3);
    pass(HOLD);
    assertThat(store.renewed.subList(9, store.renewed.size())).hasSize(3).containsOnly(1);
    second.close();
    pass(HOLD);
    assertThat(store.renewed).hasSize(12);
  }

  @Test
  void aStoreThatIsUnreachableForOneHoldLosesTheSlots() {
    HeldPermit permit = limiter.hold("key");
    store.unreachable = true;
    pass(HOLD);
    assertThat(permit.isLost()).isFalse();
    store.unreachable = false;
    pass(HOLD.dividedBy(3));
    assertThat(permit.isLost()).isTrue();
    permit.close();
    assertThat(limiter.peek("key").remaining()).isEqualTo(3);
  }

  @Test
  void workReleasesItsSlotHoweverItEnds() throws Exception {
    assertThat(limiter.run("key", () -> limiter.peek("key").remaining())).isEqualTo(2);
    assertThatThrownBy(
            () ->
                limiter.run(
                    "key",
                    () -> {
                      throw new IOException("broken");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(limiter.peek("key").remaining()).isEqualTo(3);
    limiter.decide("key", 3);
    assertThatThrownBy(() -> limiter.run("key", () -> "never"))
        .isInstanceOf(DeniedException.class)
        .hasMessage("denied by [held/slots denied, remaining 0]");
  }

  @Test
  void closingAfterTheStoreIsHarmless() {
    HeldPermit permit = limiter.hold("key");
    store.close();
    pass(HOLD);
    assertThat(permit.isLost()).isTrue();
    permit.close();
  }
}
