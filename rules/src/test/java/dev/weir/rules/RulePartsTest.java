package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Parts of a rule set: one rule by its name, limits by the attributes they look at. */
final class RulePartsTest {
  private static final Attributes REQUEST =
      Attributes.of(
          Map.of("path", "/login", "ip", "192.0.2.1", "user", "ann", "plan", "free", "size", "3"));
  private final RuleSet rules =
      RuleSet.parse(
          "rules",
          """
          rules:
            - name: login
              when: {path: /login}
              limits:
                - {name: address, key: ip, limit: 10 per minute}
                - {name: account, key: user, limit: 5 per minute}
            - name: staff
              when: {user: ann}
              limits:
                - {name: staff-address, key: ip, limit: 7 per minute}
            - name: plans
              limits:
                - {name: plan, key: ip, by: plan, limit: {free: 1 per minute, default: 2 per minute}}
                - {name: bytes, key: ip, cost: size, limit: 9 per minute}
          """);

  @Test
  void oneRuleAloneAppliesWhateverItsConditions() {
    RuleSet login = rules.only("login").orElseThrow();

    assertThat(limits(login, Attributes.of(Map.of("ip", "192.0.2.1")))).containsExactly("address");
    assertThat(limits(login, REQUEST)).containsExactly("address", "account");
    assertThat(login.names()).containsExactly("login");
  }

  @Test
  void aRuleThatDoesNotExistIsEmpty() {
    assertThat(rules.only("logout")).isEmpty();
  }

  @Test
  void limitsAreDividedByWhatTheyAndTheirRulesLookAt() {
    Set<String> late = Set.of("user", "plan", "size");

    assertThat(limits(rules.notUsingAttributes(late), REQUEST)).containsExactly("address");
    assertThat(limits(rules.usingAttributes(late), REQUEST))
        .containsExactly("account", "staff-address", "plan", "bytes");
  }

  @Test
  void bothPartsTogetherMakeTheSameClaims() {
    Set<String> late = Set.of("user");

    assertThat(rules.notUsingAttributes(late).claims(REQUEST))
        .doesNotContainAnyElementsOf(rules.usingAttributes(late).claims(REQUEST));
    assertThat(rules.claims(REQUEST))
        .containsAll(rules.notUsingAttributes(late).claims(REQUEST))
        .containsAll(rules.usingAttributes(late).claims(REQUEST))
        .hasSize(5);
  }

  @Test
  void noRulesLimitNothing() {
    assertThat(RuleSet.empty().claims(REQUEST)).isEmpty();
    assertThat(RuleSet.empty().names()).isEmpty();
  }

  private static List<String> limits(RuleSet rules, Attributes request) {
    return rules.claims(request).stream().map(claim -> claim.policy().name()).toList();
  }
}
