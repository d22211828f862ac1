package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RateLimitFieldsTest {
  private static final Duration NONE = Duration.ZERO;
  private static final RateLimitFields FIELDS = RateLimitFields.standard();

  private final Policy minute =
      Policy.of("api", "minute", Limit.slidingWindow(10, Duration.ofMinutes(1)));
  private final Policy hour = Policy.of("api", "hour", Limit.slidingLog(100, Duration.ofHours(1)));

  @Test
  void anAllowedRequestHearsWhatRemainsAndWhenAllIsBack() {
    Decision decision =
        Answered.with()
            .fits(minute, 9, Duration.ofSeconds(60))
            .fits(hour, 57, Duration.ofMillis(1_800_001))
            .decision();

    assertThat(FIELDS.of(decision))
        .containsExactly(
            entry("RateLimit-Policy", "\"minute\";q=10;w=60, \"hour\";q=100;w=3600"),
            entry("RateLimit", "\"minute\";r=9;t=60, \"hour\";r=57;t=1801"));
  }

  @Test
  void aDeniedRequestHearsHowLongToWait() {
    Decision decision =
        Answered.with()
            .denied(minute, 0, Duration.ofNanos(11_000_001_000L), Duration.ofSeconds(90))
            .fits(hour, 57, Duration.ofSeconds(1800))
            .decision();

    assertThat(FIELDS.of(decision))
        .containsExactly(
            entry("RateLimit-Policy", "\"minute\";q=10;w=60, \"hour\";q=100;w=3600"),
            entry("RateLimit", "\"minute\";r=0;t=12, \"hour\";r=57;t=1800"),
            entry("Retry-After", "12"),
            entry("Cache-Control", "no-store"));
  }

  @Test
  void aQuotaIsShownWhetherItIsAloneOrOneOfSeveral() {
    Policy quota = minute.withMode(Mode.QUOTA);
    assertThat(FIELDS.of(Answered.with().fits(quota, 9, Duration.ofSeconds(60)).decision()))
        .containsEntry("RateLimit", "\"minute\";r=9;t=60");
    assertThat(
            FIELDS.of(
                Answered.with()
                    .fits(quota, 9, Duration.ofSeconds(60))
                    .fits(hour.withMode(Mode.QUOTA), 57, Duration.ofSeconds(1800))
                    .decision()))
        .containsEntry("RateLimit", "\"minute\";r=9;t=60, \"hour\";r=57;t=1800");
  }

  @Test
  void retryAfterIsTheLongestOfAllWaits() {
    Decision decision =
        Answered.with()
            .denied(minute, 0, Duration.ofSeconds(5), Duration.ofSeconds(60))
            .denied(hour, 3, Duration.ofSeconds(700), Duration.ofSeconds(3600))
            .decision();

    assertThat(FIELDS.of(decision)).containsEntry("Retry-After", "700");
  }

  @Test
  void retryAfterIsAtLeastOneSecond() {
    Decision decision =
        Answered.with().denied(minute, 0, Duration.ofNanos(1000), Duration.ofSeconds(1)).decision();

    assertThat(FIELDS.of(decision))
        .containsEntry("RateLimit", "\"minute\";r=0;t=1")
        .containsEntry("Retry-After", "1");
  }

  @Test
  void aRequestThatCanNeverPassHasNoRetryAfter() {
    Decision decision =
        Answered.with()
            .denied(hour, 3, Duration.ofSeconds(5), Duration.ofSeconds(60))
            .denied(minute, 10, Decision.NEVER, NONE)
            .decision();

    assertThat(FIELDS.of(decision))
        .containsExactly(
            entry("RateLimit-Policy", "\"hour\";q=100;w=3600, \"minute\";q=10;w=60"),
            entry("RateLimit", "\"hour\";r=3;t=5, \"minute\";r=10"),
            entry("Cache-Control", "no-store"));
  }

  /** Also of a rule that lets nothing pass, whose policy must have some limit. */
  @Test
  void ofAKeyThatIsBlockedTheQuotaIsZero() {
    RateLimiter limiter = RateLimiter.forClaims(MemoryStore.create());
    Decision decision =
        limiter.decide(List.of(Claim.of(hour, "ann"), Claim.blocked(minute, "ann")));

    assertThat(FIELDS.of(decision))
        .containsEntry("RateLimit-Policy", "\"hour\";q=100;w=3600, \"minute\";q=0;w=60")
        .containsEntry("RateLimit", "\"hour\";r=100;t=0, \"minute\";r=0")
        .doesNotContainKey("Retry-After");
    assertThat(FIELDS.of(limiter.decide(List.of(Claim.of(minute, "ann")))))
        .containsEntry("RateLimit-Policy", "\"minute\";q=10;w=60");
  }

  @Test
  void whoWaitsAsLongAsToldIsAdmitted() {
    ManualTime time = new ManualTime();
    Limit limit = Limit.tokenBucket(7, Duration.ofSeconds(9));
    try (RateLimiter limiter = RateLimiter.builder().time(time).limit("odd", limit).build()) {
      for (int round = 0; round < 50; round++) {
        Decision denied = denied(limiter);
        time.advance(Duration.ofSeconds(Long.parseLong(FIELDS.of(denied).get("Retry-After"))));
        assertThat(limiter.tryAcquire("key")).isTrue();
      }
    }
  }

  private static Decision denied(RateLimiter limiter) {
    Decision decision = limiter.decide("key");
    while (decision.allowed()) {
      decision = limiter.decide("key");
    }
    return decision;
  }

  @Test
  void shadowPoliciesAreAbsent() {
    Policy shadow = hour.withMode(Mode.SHADOW);
    Decision decision =
        Answered.with()
            .denied(shadow, 0, Duration.ofSeconds(700), Duration.ofSeconds(3600))
            .fits(minute, 9, Duration.ofSeconds(6))
            .decision();

    assertThat(FIELDS.of(decision))
        .containsExactly(
            entry("RateLimit-Policy", "\"minute\";q=10;w=60"),
            entry("RateLimit", "\"minute\";r=9;t=6"));
  }

  @Test
  void aQuotaIsShownWhetherItIsAloneOrNot() {
    Decision alone =
        Answered.with().fits(minute.withMode(Mode.QUOTA), 9, Duration.ofSeconds(6)).decision();

    assertThat(FIELDS.of(alone))
        .containsExactly(
            entry("RateLimit-Policy", "\"minute\";q=10;w=60"),
            entry("RateLimit", "\"minute\";r=9;t=6"));
  }

  @Test
  void aDecisionOfShadowPoliciesAloneHasNoFields() {
    Decision decision =
        Answered.with()
            .denied(minute.withMode(Mode.SHADOW), 0, Duration.ofSeconds(7), Duration.ofSeconds(9))
            .decision();

    assertThat(FIELDS.of(decision)).isEmpty();
  }

  @Test
  void aWindowThatIsNotWholeSecondsIsLeftOut() {
    Policy quick = Policy.of("api", "quick", Limit.fixedWindow(5, Duration.ofMillis(1500)));

    assertThat(FIELDS.of(Answered.with().fits(quick, 4, Duration.ofMillis(1200)).decision()))
        .containsExactly(
            entry("RateLimit-Policy", "\"quick\";q=5"), entry("RateLimit", "\"quick\";r=4;t=2"));
  }

  @Test
  void theQuotaOfABucketIsItsRateAndNotItsBurst() {
    Limit limit = Limit.tokenBucket(10, Duration.ofSeconds(1)).withBurst(50);
    Policy bucket = Policy.of("api", "bucket", limit);

    assertThat(FIELDS.of(Answered.with().fits(bucket, 49, Duration.ofMillis(100)).decision()))
        .containsExactly(
            entry("RateLimit-Policy", "\"bucket\";q=10;w=1"),
            entry("RateLimit", "\"bucket\";r=49;t=1"));
  }

  @Test
  void integersStopAtFifteenDigits() {
    long most = (1L << 53) - 1;
    Policy vast = Policy.of("api", "vast", Limit.fixedWindow(most, Duration.ofDays(1)));

    assertThat(FIELDS.of(Answered.with().fits(vast, most - 1, Duration.ofDays(1)).decision()))
        .containsExactly(
            entry("RateLimit-Policy", "\"vast\";q=999999999999999;w=86400"),
            entry("RateLimit", "\"vast\";r=999999999999999;t=86400"));
  }

  @Test
  void namesAreEscapedAndStayOnTheirLine() {
    String name = "a\"b\\c\r\nX: 1\u0000\u007f \u00fc\ud83d\ude00\ud800~";
    Policy odd = Policy.of("api", name, Limit.fixedWindow(5, Duration.ofSeconds(1)));

    assertThat(FIELDS.of(Answered.with().fits(odd, 4, Duration.ofSeconds(1)).decision()))
        .containsEntry(
            "RateLimit", "\"a\\\"b\\\\c%0d%0aX: 1%00%7f %c3%bc%f0%9f%98%80%3f~\";r=4;t=1");
  }

  @Test
  void aPolicyAskedForSeveralKeysIsShownOnceByItsTightest() {
    Decision decision =
        Answered.with()
            .fits(minute, 4, Duration.ofSeconds(30))
            .denied(minute, 2, Duration.ofSeconds(8), Duration.ofSeconds(50))
            .denied(minute, 1, Duration.ofSeconds(7), Duration.ofSeconds(60))
            .decision();

    assertThat(FIELDS.of(decision))
        .containsExactly(
            entry("RateLimit-Policy", "\"minute\";q=10;w=60"),
            entry("RateLimit", "\"minute\";r=2;t=8"),
            entry("Retry-After", "8"),
            entry("Cache-Control", "no-store"));
  }

  @Test
  void nothingIsSaidOfTheStateThatAFailedStoreKeeps() {
    Decision decision =
        Answered.with().failed(minute).fits(hour, 57, Duration.ofSeconds(1800)).decision();

    assertThat(FIELDS.of(decision))
        .containsExactly(
            entry("RateLimit-Policy", "\"minute\";q=10;w=60, \"hour\";q=100;w=3600"),
            entry("RateLimit", "\"hour\";r=57;t=1800"));
  }

  @Test
  void aDenialByAFailedStoreMayBeRetriedAfterASecond() {
    Decision decision =
        Answered.with().failed(minute.onStoreFailure(FailurePolicy.DENY)).decision();

    assertThat(FIELDS.of(decision))
        .containsExactly(
            entry("RateLimit-Policy", "\"minute\";q=10;w=60"),
            entry("Retry-After", "1"),
            entry("Cache-Control", "no-store"));
  }

  @Test
  void anotherDialectRenamesFieldsAndParameters() {
    RateLimitFieldNames dialect =
        new RateLimitFieldNames("P", "S", "quota", "unit", "window", "available", "effective");
    RateLimitFields renamed = new RateLimitFields(dialect, null);

    assertThat(renamed.of(Answered.with().fits(minute, 9, Duration.ofSeconds(6)).decision()))
        .containsExactly(
            entry("P", "\"minute\";quota=10;window=60"),
            entry("S", "\"minute\";available=9;effective=6"));
  }

  @Test
  void legacyFieldsShowTheLimitWithTheLeastLeft() {
    Decision decision =
        Answered.with()
            .fits(hour, 57, Duration.ofSeconds(1800))
            .fits(minute, 9, Duration.ofMillis(5500))
            .decision();

    assertThat(legacy(FIELDS.withLegacyDelta(), decision))
        .isEqualTo(legacy("10", "9", "6"))
        .containsOnlyKeys("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");
  }

  @Test
  void legacyFieldsOfADenialShowTheLimitToWaitFor() {
    Decision decision =
        Answered.with()
            .denied(hour, 3, Duration.ofSeconds(700), Duration.ofSeconds(3600))
            .denied(minute, 0, Duration.ofSeconds(5), Duration.ofSeconds(60))
            .decision();

    assertThat(legacy(FIELDS.withLegacyDelta(), decision)).isEqualTo(legacy("100", "3", "700"));
  }

  @Test
  void legacyResetCanBeAPointInTime() {
    ManualTime time = new ManualTime();
    time.set(Instant.parse("2026-05-23T12:00:00.600Z"));
    Decision decision = Answered.with().fits(minute, 9, Duration.ofMillis(5500)).decision();

    assertThat(legacy(FIELDS.withLegacyEpoch(time), decision))
        .isEqualTo(legacy("10", "9", "1779537607"));
  }

  @Test
  void legacyFieldsOfARequestThatCanNeverPassHaveNoReset() {
    Decision decision = Answered.with().denied(minute, 10, Decision.NEVER, NONE).decision();

    assertThat(legacy(FIELDS.withLegacyDelta(), decision))
        .isEqualTo(Map.of("X-RateLimit-Limit", "10", "X-RateLimit-Remaining", "10"));
  }

  private static Map<String, String> legacy(RateLimitFields fields, Decision decision) {
    Map<String, String> all = new LinkedHashMap<>(fields.of(decision));
    all.keySet().removeIf(name -> !name.startsWith("X-"));
    return all;
  }

  private static Map<String, String> legacy(String limit, String remaining, String reset) {
    return Map.of(
        "X-RateLimit-Limit", limit,
        "X-RateLimit-Remaining", remaining,
        "X-RateLimit-Reset", reset);
  }
}
