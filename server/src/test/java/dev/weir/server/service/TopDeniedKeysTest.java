package dev.weir.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which keys are denied most, in bounded memory. */
final class TopDeniedKeysTest {
  private static final Policy POLICY =
      Policy.of("rule", "limit", Limit.fixedWindow(1, Duration.ofDays(1)));

  private final AtomicLong nowMillis = new AtomicLong();
  private final TopDeniedKeys denied = new TopDeniedKeys(nowMillis::get);
  private final RateLimiter limiter = RateLimiter.forClaims(MemoryStore.create(), denied);

  @Test
  void aFrequentKeyIsFoundInAFloodOfOthers() {
    for (int i = 0; i < 100_000; i++) {
      deny("flood-" + i);
      if (i % 50 == 0) {
        deny("frequent");
      }
    }

    TopDeniedKeys.DeniedKey first = denied.top(1).get(0);
    assertThat(first.key().key()).isEqualTo("frequent");
    assertThat(first.denials()).isGreaterThanOrEqualTo(2000);
    assertThat(first.denials() - first.atMostTooHigh()).isLessThanOrEqualTo(2000);
    assertThat(denied.top(1_000_000)).hasSizeLessThanOrEqualTo(8 * 512);
  }

  @Test
  void whatWasDeniedLongAgoIsForgotten() {
    deny("old");
    nowMillis.addAndGet(Duration.ofMinutes(6).toMillis());
    deny("new");
    assertThat(denied.top(10)).hasSize(2);

    nowMillis.addAndGet(Duration.ofMinutes(6).toMillis());
    assertThat(denied.top(10)).extracting(entry -> entry.key().key()).doesNotContain("old");

    nowMillis.addAndGet(Duration.ofMinutes(11).toMillis());
    assertThat(denied.top(10)).isEmpty();
  }

  @Test
  void aKeyOfAMegabyteIsCutShort() {
    deny("x".repeat(1_000_000));

    assertThat(denied.top(1).get(0).key().key()).hasSizeLessThan(260);
  }

  @Test
  void whatIsAllowedOrOnlyPeekedAtIsNotCounted() {
    limiter.decide(List.of(new Claim(POLICY, "a", 1)));
    limiter.peek(List.of(new Claim(POLICY, "a", 1)));

    assertThat(denied.top(10)).isEmpty();
  }

  /** More than the capacity is denied, and leaves no state behind. */
  private void deny(String key) {
    limiter.decide(List.of(new Claim(POLICY, key, 2)));
  }
}
