package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.rules.InvalidRulesException;
import dev.weir.rules.LiveRules;
import dev.weir.rules.RuleSet;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What new rules leave in a registry. */
final class RuleMetersTest {
  private static final String ONE =
      "rules: [{name: a, limits: [{name: x, key: ip, limit: 1 per minute}]}]";
  private static final String TWO =
      """
      rules:
        - {name: a, limits: [{name: x, key: ip, limit: 1 per minute}]}
        - {name: b, limits: [{name: x, key: ip, limit: 1 per minute}]}
      """;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final WeirMetrics metrics = new WeirMetrics(registry);
  private final LiveRules rules = new LiveRules(RuleSet.parse("first", ONE));

  @BeforeEach
  void listen() {
    rules.listen(metrics);
  }

  @Test
  void nothingIsCountedBeforeTheFirstChange() {
    assertThat(gauges()).containsExactly(0.0, 0.0, 0.0);
    assertThat(Series.all(registry, "weir.rules.reloads"))
        .isEqualTo(Map.of("result=refused", 0.0, "result=taken", 0.0));
  }

  @Test
  void rulesThatAreTakenAreANewVersion() {
    rules.replace(RuleSet.parse("second", TWO));
    assertThat(gauges()).containsExactly(1.0, 2.0, 0.0);
    rules.replace(RuleSet.parse("third", ONE));
    assertThat(gauges()).containsExactly(2.0, 1.0, 0.0);
    assertThat(Series.of(registry, "weir.rules.reloads")).isEqualTo(Map.of("result=taken", 2.0));
  }

  @Test
  void rulesThatAreRefusedLeaveTheVersionAndShowUntilOthersAreTaken() {
    rules.replace(RuleSet.parse("second", TWO));
    rules.refuse(faulty());
    rules.refuse(faulty());
    assertThat(gauges()).containsExactly(1.0, 2.0, 1.0);
    rules.replace(RuleSet.parse("third", TWO));
    assertThat(gauges()).containsExactly(2.0, 2.0, 0.0);
    assertThat(Series.of(registry, "weir.rules.reloads"))
        .isEqualTo(Map.of("result=refused", 2.0, "result=taken", 2.0));
  }

  /** Version, number, refused. */
  private List<Double> gauges() {
    return List.of(
        registry.get("weir.rules.version").gauge().value(),
        registry.get("weir.rules.active").gauge().value(),
        registry.get("weir.rules.refused").gauge().value());
  }

  private static InvalidRulesException faulty() {
    return catchThrowableOfType(
        InvalidRulesException.class, () -> RuleSet.parse("faulty", "rules: []"));
  }
}
