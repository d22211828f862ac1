package dev.weir.rules;

import static dev.weir.rules.Requests.claim;
import static dev.weir.rules.Requests.limit;
import static dev.weir.rules.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.CalendarUnit;
import dev.weir.FailurePolicy;
import dev.weir.Lease;
import dev.weir.Limit;
import dev.weir.Mode;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LimitsTest {
  @ParameterizedTest
  @CsvSource({
    "second, PT1S",
    "minute, PT1M",
    "hour, PT1H",
    "day, PT24H",
    "week, PT168H",
    "250ms, PT0.25S",
    "30s, PT30S",
    "5m, PT5M",
    "1h30m, PT1H30M",
    "1d12h, PT36H",
    "1s500ms, PT1.5S",
    "10us, PT0.00001S",
    "400d, PT9600H",
  })
  void anyDurationCanBeWritten(String text, Duration period) {
    assertThat(read("limit: 250 per " + text)).isEqualTo(Limit.tokenBucket(250, period));
  }

  @Test
  void eachAlgorithmHasItsWord() {
    Duration minute = Duration.ofMinutes(1);
    String text = "limit: 10 per minute, algorithm: ";
    assertThat(read(text + "token-bucket")).isEqualTo(Limit.tokenBucket(10, minute));
    assertThat(read(text + "fixed-window")).isEqualTo(Limit.fixedWindow(10, minute));
    assertThat(read(text + "sliding-window")).isEqualTo(Limit.slidingWindow(10, minute));
    assertThat(read(text + "sliding-log")).isEqualTo(Limit.slidingLog(10, minute));
  }

  @Test
  void burstIsTheCapacityOfATokenBucket() {
    assertThat(read("limit: 10 per minute, burst: 50"))
        .isEqualTo(new Limit.TokenBucket(50, 10, Duration.ofMinutes(1)));
  }

  @Test
  void aLimitCanBeLeased() {
    assertThat(lease("lease: 250ms")).contains(Lease.every(Duration.ofMillis(250)));
    assertThat(lease("lease: auto, algorithm: sliding-window")).contains(Lease.auto());
    assertThat(lease("burst: 50")).isEmpty();
  }

  @Test
  void aLeaseThatCannotBeIsRefused() {
    assertThatThrownBy(() -> lease("lease: 1h"))
        .hasMessageEndingWith(
            "lease must be auto, or a duration from 10ms to 1m such as 1s, was \"1h\"");
    assertThatThrownBy(() -> lease("lease: 1s, algorithm: sliding-log"))
        .hasMessageEndingWith(
            "lease is not for sliding-log, which remembers the exact time of every request; use"
                + " sliding-window or token-bucket");
  }

  @Test
  void aLeaseIsWrittenAndReadAgain() {
    String yaml = "rules: [{name: r, limits: [{name: l, key: ip, limit: 9 per day, lease: 1s}]}]";
    RuleSet rules = RuleSet.parse("test", yaml);
    assertThat(rules.toYaml()).contains("lease: \"1s\"");
    assertThat(RuleSet.parse("again", rules.toYaml()).toYaml()).isEqualTo(rules.toYaml());
  }

  private static Optional<Lease> lease(String rest) {
    String yaml =
        "rules: [{name: r, limits: [{name: l, key: ip, limit: 9 per day, " + rest + "}]}]";
    return Requests.claim(RuleSet.parse("test", yaml), "ip=192.0.2.1").policy().lease();
  }

  @Test
  void daysWeeksAndMonthsCanFollowACalendar() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    assertThat(read("limit: 5 per day in Europe/Berlin, algorithm: fixed-window"))
        .isEqualTo(Limit.fixedWindow(5, CalendarUnit.DAY, berlin));
    assertThat(read("limit: 5 per week in Europe/Berlin, algorithm: fixed-window"))
        .isEqualTo(Limit.fixedWindow(5, CalendarUnit.WEEK, berlin));
    assertThat(read("limit: 5 per month, algorithm: fixed-window"))
        .isEqualTo(Limit.fixedWindow(5, CalendarUnit.MONTH, ZoneOffset.UTC));
  }

  @Test
  void modeAndFailurePolicyComeFromTheRule() {
    RuleSet rules =
        RuleSet.parse(
            "test",
            "rules: [{name: r, mode: shadow, on-store-failure: error,"
                + " limits: [{name: n, key: ip, limit: 1 per day}]}]");
    assertThat(claim(rules, "ip=a").policy().mode()).isEqualTo(Mode.SHADOW);
    assertThat(claim(rules, "ip=a").policy().onStoreFailure()).isEqualTo(FailurePolicy.ERROR);
  }

  @Test
  void withoutWordsARuleIsEnforcedAndPassesWhenTheStoreFails() {
    assertThat(claim(limit("key: ip, limit: 1 per day"), "ip=a").policy())
        .extracting("mode", "onStoreFailure")
        .containsExactly(Mode.ENFORCE, FailurePolicy.ALLOW);
  }

  @Test
  void aLimitWhoseKeyIsMissingDoesNotApply() {
    RuleSet rules = limit("key: [tenant, user], limit: 1 per day");
    assertThat(rules.claims(request("user=u"))).isEmpty();
    assertThat(rules.claims(request("user=u", "tenant=t"))).hasSize(1);
  }

  @Test
  void theKeyIsTheValueAsItIs() {
    for (String value : new String[] {"", "Alice", "a,b", "a~b", "\0\n\ud800", "x".repeat(256)}) {
      assertThat(claim(limit("key: user, limit: 1 per day"), "user=" + value).key())
          .isEqualTo(value);
    }
  }

  @Test
  void aLongKeyIsADigest() {
    assertThat(claim(limit("key: user, limit: 1 per day"), "user=" + "x".repeat(1 << 20)).key())
        .startsWith("#")
        .hasSize(41);
  }

  @Test
  void anEmptyListOfKeysIsOneCounterForAll() {
    assertThat(claim(limit("key: [], limit: 1 per day"), "user=a").key()).isEmpty();
  }

  /** FAULTS 30: nobody reaches another's counter by a separator in his own name. */
  @Test
  void differentValuesNeverShareAKey() {
    RuleSet rules = limit("key: [a, b, c], limit: 1 per day");
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<String, String> seen = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String values = part(random) + "\0" + part(random) + "\0" + part(random);
      String[] each = values.split("\0", -1);
      String key = claim(rules, "a=" + each[0], "b=" + each[1], "c=" + each[2]).key();
      assertThat(seen.putIfAbsent(key, values)).as("seed %s", seed).isIn(null, values);
    }
  }

  private static String part(Random random) {
    StringBuilder part = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      part.append(",~a".charAt(random.nextInt(3)));
    }
    return part.toString();
  }

  @Test
  void severalAttributesAreJoinedReadably() {
    RuleSet rules = limit("key: [tenant, user], limit: 1 per day");
    assertThat(claim(rules, "tenant=t-1", "user=u-42").key()).isEqualTo("t-1,u-42");
    assertThat(claim(rules, "tenant=a,b", "user=c~").key()).isEqualTo("a~,b,c~~");
  }

  @Test
  void theCostComesFromItsAttribute() {
    RuleSet rules = limit("key: user, limit: 100 per day, cost: tokens");
    assertThat(claim(rules, "user=u", "tokens=17").permits()).isEqualTo(17);
    assertThat(claim(rules, "user=u").permits()).isEqualTo(1);
    assertThat(rules.claims(request("user=u"), 5).get(0).permits()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({"-1", "1.5", "many", "''", "99999999999999999999"})
  void aCostThatIsNoNumberIsRefused(String cost) {
    RuleSet rules = limit("key: user, limit: 100 per day, cost: tokens");
    assertThatThrownBy(() -> rules.claims(request("user=u", "tokens=" + cost)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("attribute tokens must be a whole number, 0 or more, was \"" + cost + '"');
  }

  @Test
  void theValueOfByPicksTheLimit() {
    RuleSet rules =
        limit("key: user, by: plan, limit: {free: 1 per day, gold: 5 per day, default: 2 per day}");
    assertThat(claim(rules, "user=u", "plan=free").policy().limit().permits()).isEqualTo(1);
    assertThat(claim(rules, "user=u", "plan=gold").policy().limit().permits()).isEqualTo(5);
    assertThat(claim(rules, "user=u", "plan=lead").policy().limit().permits()).isEqualTo(2);
    assertThat(claim(rules, "user=u").policy().limit().permits()).isEqualTo(2);
  }

  @Test
  void withoutADefaultAnUnlistedValueIsNotLimited() {
    RuleSet rules = limit("key: user, by: plan, limit: {free: 1 per day, gold: unlimited}");
    assertThat(rules.claims(request("user=u", "plan=lead"))).isEmpty();
    assertThat(rules.claims(request("user=u", "plan=gold"))).isEmpty();
    assertThat(rules.claims(request("user=u", "plan=free"))).hasSize(1);
  }

  @Test
  void anOverrideComesBeforeTheTier() {
    RuleSet rules =
        limit(
            "key: [t, u], by: plan, limit: {free: 1 per day},"
                + " overrides: {\"a,b\": 9 per day, \"a,c\": unlimited}");
    assertThat(claim(rules, "t=a", "u=b", "plan=free").policy().limit().permits()).isEqualTo(9);
    assertThat(claim(rules, "t=a", "u=b").policy().limit().permits()).isEqualTo(9);
    assertThat(rules.claims(request("t=a", "u=c", "plan=free"))).isEmpty();
  }

  private static Limit read(String entries) {
    return claim(limit("key: ip, " + entries), "ip=a").policy().limit();
  }
}
