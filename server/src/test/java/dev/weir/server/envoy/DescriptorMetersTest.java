package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.DescriptorEntry;
import dev.weir.rules.DescriptorMatch;
import dev.weir.rules.RuleSet;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Metrics per rule, as the reference service counts them. */
final class DescriptorMetersTest {
  /** Of the reference's published cases, those that pass. */
  @ParameterizedTest
  @CsvSource({"15,1,11,0", "15,1,13,1", "20,3,5,0", "8,2,7,1", "20,3,19,3"})
  void hitsAboveFourFifthsOfALimitAreNearIt(long limit, long hits, long after, long near) {
    assertThat(DescriptorMeters.near(limit, hits, after)).isEqualTo(near);
  }

  @Test
  void valuesOfRequestsMakeABoundedNumberOfSeries() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    DescriptorMeters meters = new DescriptorMeters(registry);
    RuleSet rules =
        RuleSet.parse(
            "f",
            "domain: d\n"
                + "descriptors: [{key: k, detailed_metric: true,"
                + " rate_limit: {requests_per_unit: 5, unit: day}}]");
    for (int i = 0; i < 5000; i++) {
      DescriptorMatch match =
          rules.descriptors().find("d", List.of(new DescriptorEntry("k", "value-" + i)));
      meters.answered(
          "d", new DescriptorStatus(false, true, match, match.limit().rates().get(0), 1, 4, 60));
    }
    assertThat(registry.find("ratelimit.service.rate.limit.total.hits").gauges())
        .hasSize(1001)
        .extracting(gauge -> gauge.value())
        .contains(4000.0);
  }
}
