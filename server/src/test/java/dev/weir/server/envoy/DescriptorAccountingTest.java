package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.rules.DescriptorEntry;
import dev.weir.rules.RateUnit;
import dev.weir.rules.RuleSet;
import dev.weir.server.service.AdminOverrides;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the conformance cases leave open: calls that mix kinds of descriptors, and our own keys. */
final class DescriptorAccountingTest {
  private static final RuleSet RULES =
      RuleSet.parse(
          "rules",
          """
          domain: d
          descriptors:
            - {key: one, rate_limit: {requests_per_unit: 1, unit: minute}}
            - {key: ten, rate_limit: {requests_per_unit: 10, unit: minute}}
            - {key: ban, rate_limit: {requests_per_unit: 0, unit: minute}}
            - {key: quota, quota_mode: true, rate_limit: {requests_per_unit: 1, unit: minute}}
            - {key: quota3, quota_mode: true, rate_limit: {requests_per_unit: 3, unit: minute}}
            - {key: shadow, shadow_mode: true, rate_limit: {requests_per_unit: 2, unit: minute}}
            - key: bucket
              rate_limit: {requests_per_unit: 6, unit: minute, algorithm: token-bucket}
            - key: two
              rate_limits:
                - {requests_per_unit: 2, unit: minute}
                - {requests_per_unit: 3, unit: hour}
          """);

  private final ManualTime time = EnvoyVectors.clock();
  private final DescriptorService service = service(AccountingModes.USUAL);

  private DescriptorService service(AccountingModes modes) {
    return new DescriptorService(
        () -> RULES,
        RateLimiter.forClaims(MemoryStore.builder().time(time).build()).async(),
        new AdminOverrides(System::currentTimeMillis),
        modes,
        time,
        null);
  }

  @Test
  void whatOneDescriptorDeniesTakesNothingFromTheOthers() {
    assertThat(ask(take("one"), take("ten")))
        .isEqualTo("OK | OK 1/MINUTE 0 r60 ; OK 10/MINUTE 9 r60");
    assertThat(ask(take("one"), take("ten")))
        .isEqualTo("OVER_LIMIT | OVER_LIMIT 1/MINUTE 0 r60 ; OK 10/MINUTE 9 r60");
  }

  @Test
  void ownHitsAreTakenThoughAnotherDescriptorDenies() {
    ask(take("one"));
    assertThat(ask(take("one"), own("ten", 4)))
        .isEqualTo("OVER_LIMIT | OVER_LIMIT 1/MINUTE 0 r60 ; OK 10/MINUTE 6 r60");
  }

  @Test
  void whatOwnHitsOrAQuestionDenyIsNotTakenFromTheOthers() {
    assertThat(ask(own("ten", 11), take("one")))
        .isEqualTo("OVER_LIMIT | OVER_LIMIT 10/MINUTE 0 r60 ; OK 1/MINUTE 1 r60");
    assertThat(ask(own("ten", 0), take("one")))
        .isEqualTo("OVER_LIMIT | OVER_LIMIT 10/MINUTE 0 r60 ; OK 1/MINUTE 1 r60");
    assertThat(ask(take("one"))).isEqualTo("OK | OK 1/MINUTE 0 r60");
  }

  @Test
  void ofEqualDescriptorsTheFirstThatDoNotFitAreNamed() {
    ask(own("ten", 9));
    assertThat(ask(take("ten"), take("ten")))
        .isEqualTo("OVER_LIMIT | OK 10/MINUTE 1 r60 ; OVER_LIMIT 10/MINUTE 1 r60");
    assertThat(ask(take("ten"))).isEqualTo("OK | OK 10/MINUTE 0 r60");
  }

  @Test
  void severalRatesHoldTogetherAndTheTightestIsShown() {
    assertThat(ask(take("two"))).isEqualTo("OK | OK 2/MINUTE 1 r60");
    assertThat(ask(take("two"))).isEqualTo("OK | OK 2/MINUTE 0 r60");
    assertThat(ask(take("two"))).isEqualTo("OVER_LIMIT | OVER_LIMIT 2/MINUTE 0 r60");
    time.advanceMicros(60_000_000);
    assertThat(ask(take("two"))).isEqualTo("OK | OK 3/HOUR 0 r3540");
    assertThat(ask(take("two"))).isEqualTo("OVER_LIMIT | OVER_LIMIT 3/HOUR 0 r3540");
  }

  @Test
  void whenAllQuotasDenyOrdinaryLimitsKeepTheirPermits() {
    assertThat(ask(take("quota"), take("ten")))
        .isEqualTo("OK | OK 1/MINUTE 0 r60 ; OK 10/MINUTE 9 r60");
    assertThat(ask(take("quota"), take("ten")))
        .isEqualTo("OVER_LIMIT | OVER_LIMIT 1/MINUTE 0 r60 ; OK 10/MINUTE 9 r60");
  }

  /** Nothing was taken when the sum did not fit, and so the quota never ended. */
  @Test
  void ofEqualQuotasAsManyAreTakenAsFit() {
    assertThat(ask(take("quota"), take("quota")))
        .isEqualTo("OK | OK 1/MINUTE 0 r60 ; OVER_LIMIT 1/MINUTE 0 r60");
    assertThat(ask(take("quota"), take("quota")))
        .isEqualTo("OVER_LIMIT | OVER_LIMIT 1/MINUTE 0 r60 ; OVER_LIMIT 1/MINUTE 0 r60");
    assertThat(ask(take("quota3"), take("quota3")))
        .isEqualTo("OK | OK 3/MINUTE 2 r60 ; OK 3/MINUTE 1 r60");
    assertThat(ask(take("quota3"), take("quota3"), take("ten")))
        .isEqualTo("OK | OK 3/MINUTE 0 r60 ; OVER_LIMIT 3/MINUTE 0 r60 ; OK 10/MINUTE 9 r60");
    assertThat(ask(take("quota3"), take("quota3"), take("ten")))
        .isEqualTo(
            "OVER_LIMIT | OVER_LIMIT 3/MINUTE 0 r60 ; OVER_LIMIT 3/MINUTE 0 r60 ; OK 10/MINUTE 9 r60");
  }

  @Test
  void ofEqualQuotasNoneIsTakenWhenAnotherDescriptorDenies() {
    ask(take("one"));
    assertThat(ask(take("quota3"), take("quota3"), take("one")))
        .isEqualTo(
            "OVER_LIMIT | OK 3/MINUTE 3 r60 ; OK 3/MINUTE 3 r60 ; OVER_LIMIT 1/MINUTE 0 r60");
  }

  @Test
  void ofEqualDescriptorsInShadowModeAsManyAreTakenAsFit() {
    assertThat(ask(take("shadow"), take("shadow"), take("shadow")))
        .isEqualTo("OK | OK 2/MINUTE 1 r60 ; OK 2/MINUTE 0 r60 ; OK 2/MINUTE 0 r60");
    DescriptorService all = service(new AccountingModes(true, false, false));
    RateLimitCall call = new RateLimitCall("d", 6, List.of(take("ten"), take("ten")));
    assertThat(AnswerText.of(all, call))
        .isEqualTo("OK | OK 10/MINUTE 4 r60 ; OVER_LIMIT 10/MINUTE 4 r60");
  }

  @Test
  void aDenialSaysWhenThisRequestWouldPass() {
    assertThat(ask(own("bucket", 6))).isEqualTo("OK | OK 6/MINUTE 0 r60");
    assertThat(ask(take("bucket"))).isEqualTo("OVER_LIMIT | OVER_LIMIT 6/MINUTE 0 r10");
    time.advanceMicros(10_000_000);
    assertThat(ask(take("bucket"))).isEqualTo("OK | OK 6/MINUTE 0 r60");
  }

  @Test
  void descriptorsOfOneStateSeeItInTheirOrder() {
    assertThat(ask(own("ten", 0), own("ten", 4)))
        .isEqualTo("OK | OK 10/MINUTE 10 r60 ; OK 10/MINUTE 6 r60");
    assertThat(ask(own("ten", 4), back("ten", 2)))
        .isEqualTo("OK | OK 10/MINUTE 2 r60 ; OK 10/MINUTE 4 r60");
    assertThat(ask(back("ten", 3), own("ten", 0)))
        .isEqualTo("OK | OK 10/MINUTE 7 r60 ; OK 10/MINUTE 7 r60");
  }

  @Test
  void inShadowModeEveryDescriptorTakesAsIfItWereAlone() {
    DescriptorService shadow = service(new AccountingModes(true, false, false));
    RateLimitCall call = new RateLimitCall("d", 0, List.of(take("one"), take("ten")));
    assertThat(AnswerText.of(shadow, call))
        .isEqualTo("OK | OK 1/MINUTE 0 r60 ; OK 10/MINUTE 9 r60");
    assertThat(AnswerText.of(shadow, call))
        .isEqualTo("OK | OVER_LIMIT 1/MINUTE 0 r60 ; OK 10/MINUTE 8 r60");
  }

  @Test
  void nothingPassesALimitOfZero() {
    assertThat(ask(take("ban"), take("ten")))
        .isEqualTo("OVER_LIMIT | OVER_LIMIT 0/MINUTE 0 r60 ; OK 10/MINUTE 10 r60");
    assertThat(ask(own("ban", 5))).isEqualTo("OVER_LIMIT | OVER_LIMIT 0/MINUTE 0 r60");
    assertThat(ask(own("ban", 0))).isEqualTo("OVER_LIMIT | OVER_LIMIT 0/MINUTE 0 r60");
  }

  @Test
  void ofDifferentLimitsForOneStateInOneCallTheSmallerHolds() {
    assertThat(ask(override(5), override(3)))
        .isEqualTo("OK | OK 5/MINUTE 2 r60 ; OK 3/MINUTE 1 r60");
  }

  private String ask(RateLimitCall.Descriptor... descriptors) {
    return AnswerText.of(service, new RateLimitCall("d", 0, List.of(descriptors)));
  }

  private static RateLimitCall.Descriptor take(String key) {
    return new RateLimitCall.Descriptor(entries(key), null, false, null);
  }

  private static RateLimitCall.Descriptor own(String key, long hits) {
    return new RateLimitCall.Descriptor(entries(key), hits, false, null);
  }

  private static RateLimitCall.Descriptor back(String key, long hits) {
    return new RateLimitCall.Descriptor(entries(key), hits, true, null);
  }

  private static RateLimitCall.Descriptor override(long requests) {
    return new RateLimitCall.Descriptor(
        entries("any"), null, false, new RateLimitCall.Override(requests, RateUnit.MINUTE));
  }

  private static List<DescriptorEntry> entries(String key) {
    return List.of(new DescriptorEntry(key, "x"));
  }
}
