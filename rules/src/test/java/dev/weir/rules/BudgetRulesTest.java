package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CalendarUnit;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Policy;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code warn-at} and {@code reserve-at-most} in rule files. */
final class BudgetRulesTest {
  private static final Attributes REQUEST = Attributes.of(Map.of("tenant", "a"));
  private static final RuleSet RULES =
      RuleSet.parse(
          "test",
          """
          rules:
            - name: model
              limits:
                - name: budget
                  key: tenant
                  limit: 1000 per month
                  algorithm: fixed-window
                  warn-at: 80 %
                  reserve-at-most: 25%
                  overrides: {big: 9 per month, free: unlimited}
                - {name: requests, key: tenant, limit: 10 per minute}
          """);

  private static Policy budget(Attributes request) {
    List<Claim> claims = RULES.claims(request, 1);
    return claims.get(0).policy();
  }

  @Test
  void aBudgetWarnsAndBoundsWhatOneRequestTakes() {
    Policy policy = budget(REQUEST);
    assertThat(policy.limit())
        .isEqualTo(Limit.fixedWindow(1000, CalendarUnit.MONTH, ZoneOffset.UTC).warnAt(80));
    assertThat(policy.mostPerRequest()).isEqualTo(250);
    Policy other = budget(Attributes.of(Map.of("tenant", "big")));
    assertThat(((Limit.FixedWindow) other.limit()).warnAtPermits()).hasValue(8); // rounded up
    assertThat(other.mostPerRequest()).isEqualTo(2); // rounded down
    assertThat(RULES.claims(REQUEST, 1).get(1).policy().mostPerRequest()).isEqualTo(10);
  }

  @Test
  void whatIsReadIsWrittenTheSame() {
    assertThat(RuleSet.parse("test", RULES.toYaml()).claims(REQUEST, 1))
        .isEqualTo(RULES.claims(REQUEST, 1));
    assertThat(RULES.toYaml()).contains("warn-at: 80 %").contains("reserve-at-most: 25 %");
  }

  @Test
  void anExplanationSaysBothInPermits() {
    assertThat(RULES.explain(REQUEST).rulesAsJson())
        .contains("1000 per month, warns at 800, at most 250 for one request");
  }
}
