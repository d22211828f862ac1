package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Fuzzing;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever stands in a rule file is read, or refused with the places of its faults. */
@Tag("slow")
final class RulesFuzzTest {
  private static final List<String> FILES =
      List.of(
          """
          store: redis://localhost:6379
          rules:
            - name: login
              when: {path: /login, method: POST}
              limits:
                - {name: login-ip, key: ip, limit: 10 per minute, algorithm: sliding-window}
                - {name: login-email, key: email, limit: 5 per 1h30m}
              on-store-failure: deny
          """,
          """
          rules:
            - name: api
              when: {path: /api/**, host: "*.example.org"}
              limits:
                - name: plan
                  key: [tenant, user]
                  by: plan
                  limit: {free: 100 per minute, premium: 1000 per minute, default: 20 per minute}
                  burst: 50
              mode: shadow
            - name: monthly
              limits:
                - {name: quota, key: user, limit: 5000 per month in Europe/Berlin, algorithm: fixed-window}
          """);

  @Test
  void everyFileIsReadOrRefused() {
    long tried =
        Fuzzing.run(
            "rule files",
            FILES,
            text -> {
              try {
                RuleSet rules = RuleSet.parse("fuzz.yaml", text);
                Map<String, String> request = Map.of("ip", "192.0.2.1", "path", "/login");
                rules.claims(request::get, 1);
                assertThat(RuleSet.parse("again.yaml", rules.toYaml()).names())
                    .isEqualTo(rules.names());
              } catch (InvalidRulesException refused) {
                assertThat(refused.faults()).isNotEmpty();
                assertThat(refused.faults().get(0).toString())
                    .startsWith("fuzz.yaml:")
                    .doesNotContain("\n", "\r");
              }
            });
    assertThat(tried).isGreaterThan(20);
  }

  private static final List<String> DESCRIPTOR_FILES =
      List.of(
          """
          domain: shop
          descriptors:
            - key: user
              rate_limit: {requests_per_unit: 2, unit: day}
              descriptors:
                - {key: path, value: /login, rate_limit: {requests_per_unit: 5, unit: minute}}
                - {key: path, value: /api/*, shadow_mode: true, rate_limit: {unlimited: true}}
            - key: pattern
              rate_limit: {requests_per_unit: 5, period: 30s, algorithm: token-bucket}
            - key: tagged
              metadata: {pool: {name: first}}
              rate_limit: {name: one, requests_per_unit: 5, unit: hour, replaces: [{name: two}]}
          """);

  @Test
  void everyFileOfDescriptorsIsReadOrRefused() {
    List<DescriptorEntry> entries =
        List.of(new DescriptorEntry("user", "ann"), new DescriptorEntry("path", "/login"));
    long tried =
        Fuzzing.run(
            "descriptor files",
            DESCRIPTOR_FILES,
            text -> {
              try {
                RuleSet.parse("fuzz.yaml", text).descriptors().find("shop", entries);
              } catch (InvalidRulesException refused) {
                assertThat(refused.faults()).isNotEmpty();
                assertThat(refused.faults().get(0).toString())
                    .startsWith("fuzz.yaml:")
                    .doesNotContain("\n", "\r");
              }
            });
    assertThat(tried).isGreaterThan(20);
  }
}
