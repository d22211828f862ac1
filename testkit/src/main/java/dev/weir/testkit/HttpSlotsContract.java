package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every integration promises about requests in flight, however they end. */
abstract class HttpSlotsContract extends LimitedApplication {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  /** As the rule file below has it. */
  private static final Claim SLOT =
      Claim.of(Policy.of("all", "slots", Limit.inFlight(1, Duration.ofSeconds(30))), "");

  private volatile long freeWhenHandled;

  /** The clock stands still, so that no slot is lost: only a release makes it free again. */
  @ParameterizedTest
  @ValueSource(strings = {"/x", "/fails", "/later", "/forwards"})
  void aSlotIsHeldWhileTheRequestIsServedAndFreeWhenItHasEnded(String path) throws Exception {
    start(
        """
        rules:
          - name: all
            limits:
              - {name: slots, key: [], limit: 1 at once}
        """);
    for (int request = 1; request <= 3; request++) {
      assertThat(get(path).statusCode()).isNotEqualTo(429);
      assertThat(handled).hasValueGreaterThanOrEqualTo(request);
      assertThat(freeWhenHandled).as("slots free while the handler runs").isZero();
      awaitFreeSlot();
    }
  }

  @Override
  void handle() {
    super.handle();
    freeWhenHandled = freeSlots();
  }

  private long freeSlots() {
    return store instanceof MemoryStore
        ? RateLimiter.forClaims(store).peek(List.of(SLOT)).remaining()
        : 0;
  }

  /** The client may have the response a little earlier than the integration knows that it ended. */
  private void awaitFreeSlot() {
    long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
    while (freeSlots() == 0 && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(freeSlots()).as("slots free after the response").isEqualTo(1);
  }
}
