package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.rules.DescriptorEntry;
import dev.weir.rules.DescriptorMatch;
import dev.weir.rules.RuleSet;
import dev.weir.server.service.AdminOverrides;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Metrics per rule, as the reference service counts them. */
final class DescriptorMetersTest {
  private static final RuleSet RULES =
      RuleSet.parse(
          "f",
          """
          domain: d
          descriptors:
            - {key: twenty, rate_limit: {requests_per_unit: 20, unit: day}}
            - {key: watched, shadow_mode: true, rate_limit: {requests_per_unit: 20, unit: day}}
            - {key: one, rate_limit: {requests_per_unit: 1, unit: day}}
            - {key: k, detailed_metric: true, rate_limit: {requests_per_unit: 5, unit: day}}
          """);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final DescriptorMeters meters = new DescriptorMeters(registry);
  private final ManualTime time = EnvoyVectors.clock();
  private final DescriptorService service =
      new DescriptorService(
          () -> RULES,
          RateLimiter.forClaims(MemoryStore.builder().time(time).build()).async(),
          new AdminOverrides(System::currentTimeMillis),
          AccountingModes.USUAL,
          time,
          meters);

  /** The cases that the reference service is tested with; {@code after} is its counter. */
  @ParameterizedTest
  @CsvSource({
    "15, 1, 11, 0, 0",
    "15, 1, 13, 1, 0",
    "15, 1, 16, 0, 1",
    "20, 3, 5, 0, 0",
    "8, 2, 7, 1, 0",
    "20, 3, 19, 3, 0",
    "20, 3, 22, 1, 2",
    "20, 7, 22, 4, 2",
    "10, 3, 30, 0, 3"
  })
  void hitsAreNearTheLimitAndOverItInPart(long limit, long hits, long after, long near, long over) {
    long left = Math.max(0, limit - (after - hits));
    assertThat(DescriptorMeters.near(limit, hits, left)).isEqualTo(near);
    assertThat(DescriptorMeters.over(hits, left)).isEqualTo(over);
  }

  @Test
  void aRequestThatIsPartlyOverItsLimitCountsInPart() {
    ask(15, taking("twenty"));
    ask(7, taking("twenty"));
    assertThat(counted("twenty")).isEqualTo("total 22 over 2 near 4 within 15 shadow 0");
    ask(5, taking("twenty")); // takes what is left, because the denied request took nothing
    ask(5, taking("twenty"));
    assertThat(counted("twenty")).isEqualTo("total 32 over 7 near 8 within 20 shadow 0");
  }

  @Test
  void inShadowModeItCountsInPartAndPasses() {
    ask(18, taking("watched"));
    ask(3, taking("watched"));
    assertThat(counted("watched")).isEqualTo("total 21 over 1 near 4 within 18 shadow 3");
  }

  @Test
  void ofEqualDescriptorsEachCountsAsIfItCameAfterTheOneBefore() {
    ask(15, taking("twenty"));
    ask(3, taking("twenty"), taking("twenty"));
    assertThat(counted("twenty")).isEqualTo("total 21 over 1 near 4 within 18 shadow 0");
  }

  @Test
  void whatAnotherDescriptorDeniesIsStillWithinItsOwnLimit() {
    ask(1, taking("one"));
    ask(18, taking("one"), taking("twenty"));
    assertThat(counted("twenty")).isEqualTo("total 18 over 0 near 2 within 18 shadow 0");
    assertThat(counted("one")).isEqualTo("total 19 over 18 near 1 within 1 shadow 0");
  }

  @Test
  void hitsOfADescriptorsOwnCountWhollyAndThoseGivenBackNotAtAll() {
    ask(0, own("twenty", 18, false));
    assertThat(counted("twenty")).isEqualTo("total 18 over 0 near 2 within 18 shadow 0");
    ask(0, own("twenty", 5, false));
    assertThat(counted("twenty")).isEqualTo("total 23 over 5 near 2 within 18 shadow 0");
    ask(0, own("twenty", 9, true));
    ask(0, own("twenty", 0, false));
    assertThat(counted("twenty")).isEqualTo("total 23 over 5 near 2 within 18 shadow 0");
  }

  @Test
  void valuesOfRequestsMakeABoundedNumberOfSeries() {
    for (int i = 0; i < 5000; i++) {
      DescriptorMatch match =
          RULES.descriptors().find("d", List.of(new DescriptorEntry("k", "value-" + i)));
      meters.answered(
          "d", new DescriptorStatus(false, true, match, match.limit().rates().get(0), 1, 4, 5, 60));
    }
    assertThat(registry.find("ratelimit.service.rate.limit.total.hits").gauges())
        .hasSize(1001)
        .extracting(gauge -> gauge.value())
        .contains(4000.0);
  }

  private void ask(long hits, RateLimitCall.Descriptor... descriptors) {
    service.decide(new RateLimitCall("d", hits, List.of(descriptors))).toCompletableFuture().join();
  }

  private static RateLimitCall.Descriptor taking(String key) {
    return new RateLimitCall.Descriptor(List.of(new DescriptorEntry(key, "x")), null, false, null);
  }

  private static RateLimitCall.Descriptor own(String key, long hits, boolean negative) {
    return new RateLimitCall.Descriptor(
        List.of(new DescriptorEntry(key, "x")), hits, negative, null);
  }

  private String counted(String key) {
    return Stream.of("total.hits", "over.limit", "near.limit", "within.limit", "shadow.mode")
        .map(
            name ->
                name.substring(0, name.indexOf('.'))
                    + " "
                    + (long)
                        registry
                            .get("ratelimit.service.rate.limit." + name)
                            .tag("key1", key)
                            .gauge()
                            .value())
        .collect(Collectors.joining(" "));
  }
}
