package dev.weir.rules;

import static dev.weir.rules.Requests.limit;
import static dev.weir.rules.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Rules and a store together. */
final class RuleDecisionsTest {
  private final ManualTime time = new ManualTime();
  private final RateLimiter limiter =
      RateLimiter.forClaims(MemoryStore.builder().time(time).build());

  @Test
  void aRequestThatNoLimitAppliesToIsAllowed() {
    Decision decision = decide(limit("key: user, limit: 1 per day"), "ip=a");
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.outcomes()).isEmpty();
  }

  @Test
  void aBlockedKeyNeverPasses() {
    RuleSet rules = limit("key: ip, limit: 3 per 1s, overrides: {b: blocked}");
    Decision decision = decide(rules, "ip=b");
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(decide(rules, "ip=a").allowed()).isTrue();
  }

  @Test
  void aBlockIsNoBlankCheckOnceItIsLifted() {
    RuleSet open = limit("key: ip, limit: 3 per hour");
    decide(open, "ip=a");
    decide(open, "ip=a");
    for (String block :
        new String[] {"limit: blocked", "limit: 3 per hour, overrides: {a: blocked}"}) {
      assertThat(decide(limit("key: ip, " + block), "ip=a").allowed()).isFalse();
      assertThat(limiter.peek(open.claims(request("ip=a"))).remaining()).isEqualTo(1);
    }
  }

  @Test
  void aBlockedKeyAsksWithoutBeingCharged() {
    RuleSet rules = limit("key: ip, limit: 3 per 1s, overrides: {b: blocked}");
    assertThat(rules.chargeableClaims(request("ip=b"), 2)).isEmpty();
    assertThat(rules.chargeableClaims(request("ip=a"), 2)).hasSize(1);
  }

  /** FAULTS 42. */
  @Test
  void whatOneLimitDeniesTakesNothingFromTheOthers() {
    RuleSet rules =
        RuleSet.parse(
            "test",
            "rules:\n"
                + "- {name: a, limits: [{name: wide, key: ip, limit: 10 per hour}]}\n"
                + "- {name: b, limits: [{name: narrow, key: user, limit: 1 per hour}]}\n");
    assertThat(decide(rules, "ip=i", "user=u").allowed()).isTrue();
    Decision denied = decide(rules, "ip=i", "user=u");
    assertThat(denied.deniedBy().orElseThrow().policy().name()).isEqualTo("narrow");
    assertThat(limiter.peek(rules.claims(request("ip=i"))).remaining()).isEqualTo(9);
  }

  /** FAULTS 43. */
  @Test
  void aShadowRuleNeverDeniesAndCountsAsIfItDid() {
    RuleSet rules =
        RuleSet.parse(
            "test",
            "rules: [{name: r, mode: shadow, limits: [{name: n, key: ip, limit: 1 per hour}]}]");
    assertThat(decide(rules, "ip=a").outcomes().get(0).allowed()).isTrue();
    Decision second = decide(rules, "ip=a");
    assertThat(second.allowed()).isTrue();
    assertThat(second.outcomes().get(0).allowed()).isFalse();
    assertThat(second.retryAfter()).isEqualTo(Duration.ZERO);
  }

  /** FAULTS 39. */
  @Test
  void aLimitThatChangesKeepsWhatWasUsed() {
    LiveRules live = new LiveRules(limit("key: ip, limit: 10 per hour, algorithm: fixed-window"));
    for (int i = 0; i < 4; i++) {
      decide(live.get(), "ip=a");
    }
    live.replace(limit("key: ip, limit: 20 per hour, algorithm: fixed-window"));
    assertThat(decide(live.get(), "ip=a").remaining()).isEqualTo(15);
    live.replace(limit("key: ip, limit: 3 per hour, algorithm: fixed-window"));
    assertThat(decide(live.get(), "ip=a").allowed()).isFalse();
    time.advance(Duration.ofHours(1));
    assertThat(decide(live.get(), "ip=a").remaining()).isEqualTo(2);
  }

  @Test
  void anotherPlanKeepsWhatWasUsed() {
    RuleSet rules = limit("key: u, by: plan, limit: {free: 2 per day, gold: 5 per day}");
    decide(rules, "u=a", "plan=free");
    decide(rules, "u=a", "plan=free");
    assertThat(decide(rules, "u=a", "plan=free").allowed()).isFalse();
    assertThat(decide(rules, "u=a", "plan=gold").remaining()).isEqualTo(2);
  }

  private Decision decide(RuleSet rules, String... attributes) {
    return limiter.decide(rules.claims(request(attributes)));
  }
}
