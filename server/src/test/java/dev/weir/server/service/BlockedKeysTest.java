package dev.weir.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Policy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Blocks and the kill switch, by a clock moved by hand. */
final class BlockedKeysTest {
  private static final Claim ANN =
      Claim.of(Policy.of("rule", "limit", Limit.fixedWindow(1, Duration.ofDays(1))), "ann");

  private final AtomicLong nowMillis = new AtomicLong(1000);
  private final AdminOverrides overrides = new AdminOverrides(nowMillis::get);

  @Test
  void aBlockEndsAtItsTime() {
    block(ANN, 2000);
    nowMillis.set(1999);
    assertThat(blocked()).isTrue();
    nowMillis.set(2000);
    assertThat(blocked()).isFalse();
    assertThat(overrides.blocks().all()).isEmpty();
  }

  @Test
  void aBlockWithoutATimeDoesNotEnd() {
    block(ANN, BlockedKeys.FOREVER);
    nowMillis.set(Long.MAX_VALUE - 1);
    assertThat(blocked()).isTrue();
  }

  @Test
  void overridesWrittenAndReadAreTheSame() {
    block(ANN, 5000);
    block(Claim.of(ANN.policy(), "{\"\n\u0000"), BlockedKeys.FOREVER);
    overrides.kill(true);

    String text = AdminOverridesJson.write(overrides.state()).encode();

    assertThat(AdminOverridesJson.read(text)).isEqualTo(overrides.state());
  }

  private boolean blocked() {
    return overrides.blocks().applyTo(List.of(ANN)).get(0).isBlocked();
  }

  private void block(Claim claim, long untilMillis) {
    overrides.block(new BlockedKeys.Block(BlockedKeys.Key.of(claim), untilMillis));
  }
}
