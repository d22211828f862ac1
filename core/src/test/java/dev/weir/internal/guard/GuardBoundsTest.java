package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailurePolicy;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.internal.guard.ControllableStore.Behaviour;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What guards keep fits any heap, with the longest keys. */
final class GuardBoundsTest {
  private static final long MIB = 1 << 20;
  private static final int KEYS = 150_000;

  @Test
  void aSmallHeapKeepsFewerKeysAndALargeOneNotMoreThanBefore() {
    assertThat(GuardBounds.of(128 * MIB)).isEqualTo(new GuardBounds(6990, 6990, 128 * MIB / 12));
    assertThat(GuardBounds.of(8192 * MIB).keys()).isEqualTo(100_000);
    assertThat(GuardBounds.of(8192 * MIB).denials()).isEqualTo(50_000);
    assertThat(GuardBounds.of(8 * MIB).keys()).isEqualTo(1000);
  }

  @Test
  @Tag("slow")
  void anOutageWithMadeUpLongKeysFitsASmallHeap() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                GuardBoundsTest.class.getName())
            .inheritIO()
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Keys that the store has answered and denied, then new ones without it. */
  public static void main(String[] arguments) {
    ControllableStore store = new ControllableStore(MemoryStore.builder().maxKeys(1000).build());
    Policy policy =
        Policy.of("r", "limit", Limit.fixedWindow(2, Duration.ofDays(1)))
            .onStoreFailure(FailurePolicy.LOCAL);
    try (GuardedStore guarded = GuardedStore.builder(store).instances(1).build()) {
      RateLimiter limiter = RateLimiter.builder().policy(policy).store(guarded).build();
      for (int i = 0; i < KEYS; i++) {
        limiter.tryAcquire("a" + i + "\u20ac".repeat(240));
        limiter.tryAcquire("a" + i + "\u20ac".repeat(240), 2);
      }
      store.behaviour = Behaviour.FAILS;
      for (int i = 0; i < KEYS; i++) {
        limiter.tryAcquire("b" + i + "\u20ac".repeat(240));
      }
    }
  }
}
