package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code split} of a limit in a rules file. */
final class SplitLimitsTest {
  private static RuleSet rules(String rest) {
    return RuleSet.parse("test", "rules: [{name: r, limits: [{name: l, key: ip, " + rest + "}]}]");
  }

  @Test
  void aLimitCanBeSplit() {
    assertThat(Requests.claim(rules("limit: 9 per day, split: 3"), "ip=a").policy().split())
        .isEqualTo(3);
    assertThat(Requests.claim(rules("limit: 9 per day"), "ip=a").policy().split()).isEqualTo(1);
  }

  @Test
  void aSplitIsWrittenAndReadAgain() {
    RuleSet rules = rules("limit: 9 per day, split: 3");
    assertThat(rules.toYaml()).contains("split: 3");
    assertThat(RuleSet.parse("again", rules.toYaml()).toYaml()).isEqualTo(rules.toYaml());
  }

  @Test
  void anExplanationNamesWhatIsDoneForHotKeys() {
    assertThat(reason("limit: 9 per day, split: 3")).isEqualTo("9 per day, split into 3 parts");
    assertThat(reason("limit: 9 per day, lease: 1s")).isEqualTo("9 per day, leased for 1s");
    assertThat(reason("limit: 9 per day, lease: auto"))
        .isEqualTo("9 per day, leased for 1s if the key is hot");
  }

  private static String reason(String rest) {
    Attributes request = Attributes.of(Map.of("ip", "a"));
    return rules(rest).explain(request).rules().get(0).limits().get(0).reason();
  }

  @Test
  void aSplitThatCannotBeIsRefused() {
    assertThatThrownBy(() -> rules("limit: 9 per day, split: 1"))
        .hasMessageEndingWith("split must be a number of parts from 2 to 64, was \"1\"");
    assertThatThrownBy(() -> rules("limit: 9 per day, split: many"))
        .hasMessageEndingWith("split must be a number of parts from 2 to 64, was \"many\"");
    assertThatThrownBy(() -> rules("limit: 9 per day, split: 10"))
        .hasMessageEndingWith(
            "split must be at most the permits and the burst of the limit, was 10 parts of 9");
    assertThatThrownBy(() -> rules("limit: 900 per day, burst: 5, split: 10"))
        .hasMessageEndingWith(
            "split must be at most the permits and the burst of the limit, was 10 parts of 5");
    assertThatThrownBy(() -> rules("limit: 90 per day, lease: 1s, split: 10"))
        .hasMessageEndingWith("split is not for a limit with lease, which asks the store rarely");
    assertThatThrownBy(
            () ->
                rules(
                    "limit: 90 per day, split: 10, penalty: {after: 2 denials per 1m, block: 1m}"))
        .hasMessageEndingWith(
            "split is not for a limit with penalty, since its parts deny before all are used up");
    assertThatThrownBy(() -> rules("limit: 90 at once, split: 10"))
        .hasMessageEndingWith(
            "split must be left out for requests in flight, whose slots are counted together");
  }
}
