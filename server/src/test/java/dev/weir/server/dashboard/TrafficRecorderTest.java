package dev.weir.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.server.dashboard.LimitTraffic.LimitMinute;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the dashboard counts of decisions. */
final class TrafficRecorderTest {
  private static final Policy TEN =
      Policy.of("api", "ten", Limit.fixedWindow(10, Duration.ofDays(1)));
  private static final Policy SHADOW =
      Policy.of("trial", "one", Limit.fixedWindow(1, Duration.ofDays(1))).withMode(Mode.SHADOW);

  private final AtomicLong nowMillis = new AtomicLong(1_800_000_000_000L);
  private final TrafficRecorder recorder = new TrafficRecorder(nowMillis::get);
  private final RateLimiter limiter = RateLimiter.forClaims(MemoryStore.create(), recorder);

  @Test
  void decisionsAreCountedByWhatBecameOfThem() {
    for (int i = 0; i < 12; i++) {
      limiter.decide(List.of(Claim.of(TEN, "ann"), Claim.of(SHADOW, "ann")));
    }
    tick();
    long[][] counts = recorder.history().secondsAfter(0).counts();
    assertThat(counts[TrafficKind.ALLOWED.ordinal()]).containsExactly(10);
    assertThat(counts[TrafficKind.DENIED.ordinal()]).containsExactly(2);
    assertThat(counts[TrafficKind.SHADOW_DENIED.ordinal()]).containsExactly(9);
    assertThat(counts[TrafficKind.FALLBACK.ordinal()]).containsExactly(0);
  }

  @Test
  void peeksAreNotCounted() {
    limiter.peek(List.of(Claim.of(TEN, "ann")));
    tick();
    assertThat(recorder.history().secondsAfter(0).counts()[0]).containsExactly(0);
    assertThat(recorder.limits(10)).isEmpty();
  }

  @Test
  void eachLimitShowsItsRateItsDenialsHowNearAndHowFullItIs() {
    for (int i = 0; i < 20; i++) {
      limiter.decide(List.of(Claim.of(TEN, "ann")));
    }
    tick();
    LimitMinute view = recorder.limits(10).get(0);
    assertThat(view.policy()).isEqualTo(TEN);
    assertThat(view.requests()).isEqualTo(20);
    assertThat(view.denials()).isEqualTo(10);
    assertThat(view.perSecond()).isEqualTo(20);
    assertThat(view.nearShare()).isCloseTo(0.3, within(1e-9)); // the 8th, 9th and 10th
    assertThat(view.fullest()).isEqualTo(1);
  }

  @Test
  void ratesAreOfTenSecondsAndSumsOfAMinute() {
    limiter.decide(List.of(Claim.of(TEN, "ann")));
    for (int i = 0; i < 30; i++) {
      tick();
    }
    assertThat(recorder.limits(1).get(0).perSecond()).isZero();
    assertThat(recorder.limits(1).get(0).requests()).isEqualTo(1);
    for (int i = 0; i < 31; i++) {
      tick();
    }
    assertThat(recorder.limits(1).get(0).requests()).isZero();
  }

  @Test
  void limitsAreBoundedAndForgottenWhenNobodyAsksThem() {
    for (int i = 0; i < 3000; i++) {
      limiter.decide(List.of(Claim.of(Policy.of("rule", "limit-" + i, TEN.limit()), "ann")));
    }
    assertThat(recorder.policies()).hasSize(1000);
    for (int i = 0; i < 700; i++) {
      tick();
    }
    assertThat(recorder.policies()).isEmpty();
  }

  @Test
  void theBusiestKeyIsFoundAlsoWhenOnlySomeAreCounted() {
    for (int second = 0; second < 5; second++) {
      for (int i = 0; i < 20_000; i++) {
        limiter.decide(List.of(Claim.of(SHADOW, i % 10 == 0 ? "busy" : "key-" + i)));
      }
      tick();
    }
    assertThat(recorder.busy().top(1).get(0).key().key()).isEqualTo("busy");
    assertThat(recorder.busy().top(1).get(0).count()).isBetween(5_000L, 20_000L);
  }

  private void tick() {
    nowMillis.addAndGet(1000);
    recorder.tick();
  }
}
