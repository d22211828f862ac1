package dev.weir.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.InvalidRulesException;
import dev.weir.rules.RuleSet;
import org.junit.jupiter.api.Test;

final class SoakRulesTest {
  @Test
  void everyKindHasARuleInBothVersions() {
    for (int version = 0; version < 2; version++) {
      assertThat(RuleSet.parse("rules", SoakRules.version(version)).names())
          .containsExactly("allow", "deny", "local", "shadow", "fresh");
    }
    assertThat(SoakRules.version(1)).isNotEqualTo(SoakRules.version(0));
  }

  @Test
  void theFaultyVersionIsRefused() {
    assertThatThrownBy(() -> RuleSet.parse("rules", SoakRules.FAULTY))
        .isInstanceOf(InvalidRulesException.class)
        .hasMessageContaining("algorithm");
  }
}
