package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.CalendarUnit;
import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.Lease;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Policy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The format of Envoy's reference service: what is read, and which limit a descriptor has. */
final class DescriptorRulesTest {
  /** As Envoy Gateway writes its files. */
  private static final String GATEWAY =
      """
      name: first-listener
      domain: first-listener
      descriptors:
        - key: first-route
          value: first-route
          rate_limit: null
          descriptors:
            - key: rule-0-match-0
              value: ""
              rate_limit:
                requests_per_unit: 5
                unit: SECOND
                unlimited: false
                name: ""
                replaces: []
              descriptors: []
              shadow_mode: false
              quota_mode: false
              detailed_metric: false
              metadata: []
          shadow_mode: false
          detailed_metric: false
      """;

  @Test
  void theFilesOfEnvoyGatewayAreRead() {
    DescriptorMatch match =
        find(GATEWAY, "first-listener", "first-route=first-route", "rule-0-match-0=x");
    assertThat(match.limit().path()).isEqualTo("first-route_first-route.rule-0-match-0");
    assertThat(match.limit().rates().get(0).unit()).isEqualTo(RateUnit.SECOND);
    assertThat(match.limit().name()).isEmpty();
    assertThat(policy(match).limit()).isEqualTo(Limit.fixedWindow(5, Duration.ofSeconds(1)));
    assertThat(policy(match).onStoreFailure()).isEqualTo(FailurePolicy.ERROR);
  }

  @Test
  void onlyARuleOfTheSameDepthApplies() {
    assertThat(match(GATEWAY, "first-listener", "first-route=first-route")).isNull();
    assertThat(
            match(GATEWAY, "first-listener", "first-route=first-route", "rule-0-match-0=", "c=d"))
        .isNull();
    assertThat(match(GATEWAY, "other", "first-route=first-route", "rule-0-match-0=x")).isNull();
    assertThat(match(GATEWAY, "first-listener")).isNull();
  }

  @Test
  void anEqualValueComesBeforePatternsAndTheseBeforeTheKeyAlone() {
    String rules =
        """
        domain: d
        descriptors:
          - {key: k, rate_limit: {requests_per_unit: 1, unit: day}}
          - {key: k, value: a*, rate_limit: {requests_per_unit: 2, unit: day}}
          - {key: k, value: ab*c, rate_limit: {requests_per_unit: 3, unit: day}}
          - {key: k, value: abc, rate_limit: {requests_per_unit: 4, unit: day}}
        """;
    assertThat(requests(rules, "k=abc")).isEqualTo(4);
    assertThat(requests(rules, "k=abxc")).isEqualTo(2);
    assertThat(requests(rules, "k=x")).isEqualTo(1);
  }

  @Test
  void keysOfDifferentDescriptorsDiffer() {
    String rules =
        """
        domain: d
        descriptors:
          - key: foo
            rate_limit: {requests_per_unit: 1, unit: day}
            descriptors: [{key: bar, rate_limit: {requests_per_unit: 1, unit: day}}]
        """;
    assertThat(find(rules, "d", "foo=x", "bar=y").key()).isEqualTo("foo=x,bar=y");
    assertThat(find(rules, "d", "foo=x,bar=y").key()).isEqualTo("foo=x~,bar~=y");
    assertThat(find(rules, "d", "foo=~*x").key()).isEqualTo("foo=~~*x");
  }

  @Test
  void aSharedThresholdHasOneKeyForAllValuesOfItsPattern() {
    String rules =
        """
        domain: d
        descriptors:
          - key: f
            value: files/*
            share_threshold: true
            rate_limit: {requests_per_unit: 1, unit: day}
        """;
    assertThat(find(rules, "d", "f=files/1").key()).isEqualTo("f=~*files/*");
    assertThat(find(rules, "d", "f=files/2").key()).isEqualTo("f=~*files/*");
  }

  @Test
  void ourKeysGiveAnyWindowSeveralLimitsAndAnyAlgorithm() {
    String rules =
        """
        domain: d
        on-store-failure: local
        calendar: Europe/Berlin
        descriptors:
          - key: k
            rate_limits:
              - {requests_per_unit: 5, period: 30s, algorithm: sliding-window}
              - {requests_per_unit: 10, unit: minute, algorithm: token-bucket, burst: 20}
              - {requests_per_unit: 100, unit: month, on-store-failure: deny}
        """;
    DescriptorMatch match = find(rules, "d", "k=v");
    assertThat(match.claims(3))
        .containsExactly(
            new Claim(
                policy("k/30s", Limit.slidingWindow(5, Duration.ofSeconds(30)), "LOCAL"), "k=v", 3),
            new Claim(
                policy(
                    "k/minute",
                    Limit.tokenBucket(10, Duration.ofMinutes(1)).withBurst(20),
                    "LOCAL"),
                "k=v",
                3),
            new Claim(
                policy(
                    "k/month",
                    Limit.fixedWindow(100, CalendarUnit.MONTH, ZoneId.of("Europe/Berlin")),
                    "DENY"),
                "k=v",
                3));
    assertThat(match.limit().rates())
        .extracting(DescriptorRate::unit)
        .containsExactly(RateUnit.UNKNOWN, RateUnit.MINUTE, RateUnit.MONTH);
  }

  @Test
  void aLimitThatARequestBringsAlongNeedsOnlyAKnownDomain() {
    DescriptorRules rules = RuleSet.parse("f", GATEWAY).descriptors();
    assertThat(rules.override("other", entries("a=b"), 3, RateUnit.DAY)).isNull();
    DescriptorMatch match = rules.override("first-listener", entries("a=b"), 0, RateUnit.DAY);
    assertThat(match).isNotNull();
    assertThat(match.claims(1).get(0).isBlocked()).isTrue();
    assertThat(policy(match).name()).isEqualTo("override/day");
  }

  @Test
  void aLimitOfARequestCountsWithTheRuleOfTheSameUnit() {
    DescriptorRules rules = RuleSet.parse("f", GATEWAY).descriptors();
    List<DescriptorEntry> entries = entries("first-route=first-route", "rule-0-match-0=x");
    DescriptorMatch rule = rules.find("first-listener", entries);
    DescriptorMatch same = rules.override("first-listener", entries, 9, RateUnit.SECOND);
    DescriptorMatch other = rules.override("first-listener", entries, 9, RateUnit.HOUR);
    assertThat(rule.claims(1).get(0).sameState(same.claims(1).get(0))).isTrue();
    assertThat(rule.claims(1).get(0).sameState(other.claims(1).get(0))).isFalse();
  }

  @Test
  void metricsNameValuesOnlyWhereTheRulesSaySo() {
    String rules =
        """
        domain: d
        descriptors:
          - {key: plain, rate_limit: {requests_per_unit: 1, unit: day}}
          - {key: detailed, detailed_metric: true, rate_limit: {requests_per_unit: 1, unit: day}}
          - key: named
            value_to_metric: true
            descriptors: [{key: sub, rate_limit: {requests_per_unit: 1, unit: day}}]
        """;
    assertThat(find(rules, "d", "plain=x").metricPath()).isEqualTo("plain");
    assertThat(find(rules, "d", "detailed=x").metricPath()).isEqualTo("detailed_x");
    assertThat(find(rules, "d", "named=x", "sub=y").metricPath()).isEqualTo("named_x.sub");
  }

  @Test
  void aRequestKnownByAttributesMeetsEveryRuleWhoseKeysItHas() {
    RuleSet rules =
        RuleSet.parse(
            "f",
            """
            domain: d
            descriptors:
              - key: a
                rate_limit: {requests_per_unit: 1, unit: day, name: one}
                descriptors: [{key: b, rate_limit: {requests_per_unit: 2, unit: day}}]
              - {key: c, rate_limit: {requests_per_unit: 3, unit: day, replaces: [{name: one}]}}
            """);
    assertThat(names(rules, Map.of("domain", "d", "a", "1", "b", "2")))
        .containsExactly("a a=1", "a.b a=1,b=2");
    assertThat(names(rules, Map.of("domain", "d", "a", "1", "c", "2"))).containsExactly("c c=2");
    assertThat(names(rules, Map.of("a", "1"))).isEmpty();
    assertThat(rules.attributes()).containsExactly("a", "b", "c", "domain");
    assertThat(rules.names()).containsExactly("d");
    assertThat(rules.explain(Attributes.of(Map.of("domain", "d", "a", "1"))).rulesAsJson())
        .isEqualTo(
            "[{\"rule\":\"d\",\"matched\":true,\"reason\":\"domain d\",\"limits\":[{\"name\":\"a\","
                + "\"applies\":true,\"reason\":\"1 per day\",\"key\":\"a=1\"}]}]");
    assertThat(rules.explain(Attributes.of(Map.of("a", "1"))).rules().get(0).reason())
        .isEqualTo("domain must be d, the request has none");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        GATEWAY,
        """
        domain: other
        calendar: true
        count-over-limit: true
        descriptors:
          - key: a
            value: x*
            share_threshold: true
            value_to_metric: true
            shadow_mode: true
            metadata: {text: "1", number: 1, flag: true, list: [a, {b: 1.5}]}
            rate_limit: {requests_per_unit: 0, unit: week, name: n, replaces: [{name: m}]}
          - key: b
            detailed_metric: true
            rate_limits:
              - {requests_per_unit: 7, period: 1h30m, algorithm: token-bucket, burst: 3}
              - {requests_per_unit: 9, unit: year, algorithm: sliding-log}
          - {key: c, rate_limit: {unlimited: true}}
          - {key: q, quota_mode: true, rate_limit: {requests_per_unit: 1, unit: day}}
          - key: d
        """
      })
  void whatIsWrittenReadsAsTheSameRules(String yaml) {
    String written = RuleSet.parse("f", yaml).toYaml();
    assertThat(RuleSet.parse("g", written).toYaml()).isEqualTo(written);
    assertThat(RuleSet.parse("g", written).descriptors().toText())
        .isEqualTo(RuleSet.parse("f", yaml).descriptors().toText());
  }

  @Test
  void aDescriptorMayHaveALease() {
    String yaml =
        "domain: d\n"
            + "descriptors: [{key: k, rate_limit: {requests_per_unit: 5, unit: minute, lease: 1s}}]";
    RuleSet rules = RuleSet.parse("f", yaml);
    for (RuleSet read : List.of(rules, RuleSet.parse("g", rules.toYaml()))) {
      DescriptorMatch match = read.descriptors().find("d", List.of(new DescriptorEntry("k", "x")));
      assertThat(match.limit().rates().get(0).policy().lease())
          .contains(Lease.every(Duration.ofSeconds(1)));
    }
  }

  @Test
  void filesOfBothFormatsMakeOneRuleSet(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("gateway.yaml"), GATEWAY);
    Files.writeString(
        folder.resolve("weir.yaml"),
        "rules: [{name: r, limits: [{name: l, key: ip, limit: 1 per day}]}]");
    RuleSet rules = RuleSet.load(folder);
    assertThat(rules.names()).containsExactly("r", "first-listener");
    assertThat(RuleSet.parse("t", rules.toYaml()).names()).isEqualTo(rules.names());
  }

  @Test
  void aDomainMustBeThereOnceAndNotHaveTheNameOfARule(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("a.yaml"), "domain: d");
    Files.writeString(folder.resolve("b.yaml"), "domain: d");
    Files.writeString(
        folder.resolve("c.yaml"),
        "rules: [{name: d, limits: [{name: l, key: ip, limit: 1 per day}]}]");
    assertThatThrownBy(() -> RuleSet.load(folder))
        .hasMessage(
            "%1$s/a.yaml:1:9: domain must not have the name of a rule, was \"d\"\n%1$s/b.yaml:1:9: domain \"d\" must be there once, was also in %1$s/a.yaml:1"
                .formatted(folder));
  }

  private static List<String> names(RuleSet rules, Map<String, String> attributes) {
    return rules.claims(Attributes.of(attributes)).stream()
        .map(claim -> claim.policy().name() + " " + claim.key())
        .toList();
  }

  private static Policy policy(String name, Limit limit, String onStoreFailure) {
    return new Policy("d", name, limit, Mode.ENFORCE, FailurePolicy.valueOf(onStoreFailure));
  }

  private static Policy policy(DescriptorMatch match) {
    return match.limit().rates().get(0).policy();
  }

  private static long requests(String yaml, String... entries) {
    return find(yaml, "d", entries).limit().rates().get(0).requests();
  }

  private static DescriptorMatch find(String yaml, String domain, String... entries) {
    DescriptorMatch match = match(yaml, domain, entries);
    assertThat(match).isNotNull();
    return match;
  }

  private static DescriptorMatch match(String yaml, String domain, String... entries) {
    return RuleSet.parse("f", yaml).descriptors().find(domain, entries(entries));
  }

  private static List<DescriptorEntry> entries(String... texts) {
    List<DescriptorEntry> entries = new ArrayList<>();
    for (String text : Arrays.asList(texts)) {
      int at = text.indexOf('=');
      entries.add(new DescriptorEntry(text.substring(0, at), text.substring(at + 1)));
    }
    return entries;
  }
}
