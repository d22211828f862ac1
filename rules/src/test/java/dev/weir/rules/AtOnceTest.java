package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits on requests in flight in rule files. */
final class AtOnceTest {
  private static RuleSet of(String limit) {
    return RuleSet.parse(
        "test",
        "rules:\n  - name: api\n    limits:\n      - {name: slots, key: user, " + limit + "}\n");
  }

  private static Claim claim(String limit, Map<String, String> attributes, long permits) {
    List<Claim> claims = of(limit).claims(Attributes.of(attributes), permits);
    assertThat(claims).hasSize(1);
    return claims.get(0);
  }

  @Test
  void slotsAreHeldForHalfAMinuteUnlessTheFileSaysOtherwise() {
    assertThat(claim("limit: 10 at once", Map.of("user", "a"), 1).policy().limit())
        .isEqualTo(Limit.inFlight(10, Duration.ofSeconds(30)));
    assertThat(claim("limit: 10 at once, hold: 5m", Map.of("user", "a"), 1).policy().limit())
        .isEqualTo(Limit.inFlight(10, Duration.ofMinutes(5)));
  }

  @Test
  void aRequestTakesOneSlotWhateverItCosts() {
    assertThat(claim("limit: 10 at once", Map.of("user", "a"), 500).permits()).isEqualTo(1);
    assertThat(claim("limit: 10 at once", Map.of("user", "a"), 0).permits()).isZero();
    assertThat(
            claim("limit: 10 at once, cost: weight", Map.of("user", "a", "weight", "3"), 1)
                .permits())
        .isEqualTo(3);
  }

  @Test
  void plansAndOverridesHaveSlotsOfTheirOwn() {
    String limit =
        "by: plan, limit: {free: 2 at once, default: 5 at once}, overrides: {vip: 50 at once}";
    assertThat(claim(limit, Map.of("user", "a", "plan", "free"), 1).policy().limit().capacity())
        .isEqualTo(2);
    assertThat(claim(limit, Map.of("user", "a"), 1).policy().limit().capacity()).isEqualTo(5);
    assertThat(claim(limit, Map.of("user", "vip"), 1).policy().limit().capacity()).isEqualTo(50);
  }

  @Test
  void whatIsReadIsWrittenTheSame() {
    RuleSet rules = of("limit: 10 at once, hold: 5m");
    assertThat(RuleSet.parse("test", rules.toYaml()).claims(Attributes.of(Map.of("user", "a")), 1))
        .isEqualTo(rules.claims(Attributes.of(Map.of("user", "a")), 1));
    assertThat(rules.toYaml()).contains("hold").doesNotContain("algorithm");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          limit: 0 at once                            | from 1 to 100000 slots at once
          limit: 100001 at once                       | from 1 to 100000 slots at once
          limit: x at once                            | from 1 to 100000 slots at once
          limit: 10 per minute, hold: 5s              | hold is for limits such as "10 at once" only
          limit: 10 at once, hold: month              | hold must be a duration such as 30s
          limit: 10 at once, hold: soon               | hold must be a duration such as 30s
          limit: 10 at once, algorithm: sliding-log   | takes no algorithm and no burst
          limit: 10 at once, burst: 5                 | takes no algorithm and no burst
          limit: 10 per minute, algorithm: in-flight  | algorithm must be one of token-bucket
          """)
  void mistakesAreNamed(String limit, String expected) {
    assertThatThrownBy(() -> of(limit))
        .isInstanceOf(InvalidRulesException.class)
        .hasMessageContaining(expected);
  }
}
