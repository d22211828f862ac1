package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Mode;
import dev.weir.Policy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One rule in another mode, its policies, and where it is written. */
final class RuleModeTest {
  private static final RuleSet RULES =
      RuleSet.parse(
          "weir.yaml",
          """
          rules:
            - name: login
              limits:
                - {name: ip, key: ip, limit: 10 per minute, overrides: {192.0.2.9: blocked}}
            - name: api
              limits:
                - name: plan
                  key: user
                  by: plan
                  limit: {free: 5 per minute, premium: unlimited, default: 2 per minute}
                  overrides: {bob: 50 per minute}
          """);

  @Test
  void allItsLimitsChangeTheirModeAndOtherRulesDoNot() {
    RuleSet shadowed = RULES.withMode("api", Mode.SHADOW);
    for (Map<String, String> request :
        List.of(
            Map.of("user", "ann", "plan", "free"), Map.of("user", "ann"), Map.of("user", "bob"))) {
      Policy before = only(RULES, request).policy();
      assertThat(before.mode()).isEqualTo(Mode.ENFORCE);
      assertThat(only(shadowed, request).policy()).isEqualTo(before.withMode(Mode.SHADOW));
    }
    assertThat(only(shadowed, Map.of("ip", "192.0.2.1")).policy().mode()).isEqualTo(Mode.ENFORCE);
    assertThat(only(shadowed, Map.of("ip", "192.0.2.9")).isBlocked()).isTrue();
  }

  @Test
  void itsTextHasTheModeAndThereAndBackIsTheSame() {
    RuleSet shadowed = RULES.withMode("login", Mode.SHADOW);
    assertThat(shadowed.toYaml()).contains("mode: shadow");
    assertThat(RuleSet.parse("again", shadowed.toYaml()).toYaml()).isEqualTo(shadowed.toYaml());
    assertThat(shadowed.withMode("login", Mode.ENFORCE).toYaml()).isEqualTo(RULES.toYaml());
  }

  @Test
  void anUnknownRuleIsRefused() {
    assertThatThrownBy(() -> RULES.withMode("logon", Mode.SHADOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there must be a rule \"logon\", was none");
  }

  @Test
  void thePoliciesOfTiersAreListedWithoutOverrides() {
    assertThat(RULES.policies())
        .extracting(policy -> policy.rule() + "/" + policy.name() + " " + policy.limit().permits())
        .containsExactlyInAnyOrder("login/ip 10", "api/plan 5", "api/plan 2");
  }

  @Test
  void aRuleSaysWhereItIsWritten() {
    assertThat(RULES.place("login")).hasValue("weir.yaml:2");
    assertThat(RULES.place("api")).hasValue("weir.yaml:5");
    assertThat(RULES.place("none")).isEmpty();
    assertThat(RULES.withMode("api", Mode.SHADOW).place("api")).hasValue("weir.yaml:5");
  }

  private static Claim only(RuleSet rules, Map<String, String> request) {
    List<Claim> claims = rules.claims(Attributes.of(request));
    assertThat(claims).hasSize(1);
    return claims.get(0);
  }
}
