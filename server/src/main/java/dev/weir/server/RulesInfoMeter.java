package dev.weir.server;

import dev.weir.rules.RuleListener;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RuleStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;

/**
 * The hash and the source of the rules in effect, as labels of one series: when the rules change,
 * the series of those before ends.
 */
final class RulesInfoMeter implements RuleListener {
  private final RuleStatus status;
  private final MultiGauge info;

  /**
   * @param status listens before this does, and so knows of a change already
   */
  RulesInfoMeter(RuleStatus status, MeterRegistry registry) {
    this.status = status;
    this.info =
        MultiGauge.builder("weir.rules.info")
            .description("1, with the source and the hash of the rules in effect as labels")
            .register(registry);
    show();
  }

  @Override
  public void replaced(RuleSet rules) {
    show();
  }

  private void show() {
    RuleStatus.InEffect rules = status.inEffect();
    Tags labels = Tags.of("source", rules.source(), "hash", rules.hash());
    info.register(List.of(MultiGauge.Row.of(labels, 1)), true);
  }
}
