package dev.weir.spring.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.rules.RuleSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * Rules in properties mean what the same text means in a rules file, and faults name properties.
 */
final class PropertyRulesTest {
  private static final String RULES =
      """
      rules:
        - name: login
          when: {path: /login, method: [POST, PUT], "[header.x-kind]": "a*"}
          on-store-failure: deny
          limits:
            - {name: minute, key: ip, limit: 10 per minute, algorithm: sliding-window}
            - {name: all, key: [], limit: 1000 per hour, burst: 50}
        - name: api
          mode: shadow
          limits:
            - name: plan
              key: [tenant, user]
              by: plan
              limit: {free: 100 per minute, "[pro.plus]": 1000 per minute, default: 20 per minute}
              cost: size
              overrides: {"[ann,b~ob]": unlimited, 192.0.2.1: blocked}
      """;

  @Test
  void rulesOfAYamlFileBecomeTheSameRules() throws IOException {
    String inFile =
        RULES
            .replace("\"[header.x-kind]\"", "header.x-kind")
            .replace("\"[pro.plus]\"", "pro.plus")
            .replace("\"[ann,b~ob]\"", "\"ann,b~ob\"");
    assertThat(PropertyRules.read(environment(RULES)).orElseThrow().toYaml())
        .isEqualTo(RuleSet.parse("file", inFile).toYaml());
  }

  @Test
  void dotsInNamesNeedNoBrackets() throws IOException {
    String plain = RULES.replaceAll("\"\\[(header.x-kind|pro.plus)]\"", "$1");
    assertThat(PropertyRules.read(environment(plain)).orElseThrow().toYaml())
        .isEqualTo(PropertyRules.read(environment(RULES)).orElseThrow().toYaml());
  }

  @Test
  void placeholdersAreResolvedAndPropertiesAreEnough() {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(
            new MapPropertySource(
                "test",
                Map.of(
                    "weir.rules[0].name", "all",
                    "weir.rules[0].limits[0].name", "ip",
                    "weir.rules[0].limits[0].key", "ip",
                    "weir.rules[0].limits[0].limit", "${number} per minute",
                    "number", 7)));
    assertThat(PropertyRules.read(environment).orElseThrow().toYaml()).contains("7 per minute");
  }

  @Test
  void noRulesAreNone() {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(
            new SystemEnvironmentPropertySource(
                "test-systemEnvironment", Map.of("WEIR_RULES_FILE", "weir.yaml")));
    assertThat(PropertyRules.read(environment)).isEmpty();
  }

  @Test
  void everyFaultNamesItsPropertyItsValueAndItsPlace() throws IOException {
    StandardEnvironment environment =
        environment(
            """
            rules:
              - name: login
                limits:
                  - {name: minute, key: ip, limit: ten per minute}
                  - {name: hour, kay: ip, limit: 10 per hour}
            """);
    InvalidRulePropertiesException refused =
        catchThrowableOfType(
            InvalidRulePropertiesException.class, () -> PropertyRules.read(environment));
    assertThat(refused.faults())
        .extracting(RulePropertyFault::property)
        .containsExactly(
            "weir.rules[0].limits[0].limit",
            "weir.rules[0].limits[1]",
            "weir.rules[0].limits[1].kay");
    RulePropertyFault first = refused.faults().get(0);
    assertThat(first.value()).isEqualTo("ten per minute");
    assertThat(first.origin()).hasToString("application.yaml - 5:42");
    assertThat(first.text()).startsWith("limit must have from 1 to ");
    assertThat(refused.faults().get(2).text())
        .startsWith("key \"kay\" is unknown in limit \"hour\", expected one of name, key,");
  }

  /** As Spring Boot reads {@code application.yaml}. */
  private static StandardEnvironment environment(String rules) throws IOException {
    String yaml = "weir:\n" + rules.indent(2);
    ByteArrayResource file =
        new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)) {
          @Override
          public String getDescription() {
            return "application.yaml";
          }

          @Override
          public String toString() {
            return "application.yaml";
          }
        };
    StandardEnvironment environment = new StandardEnvironment();
    new YamlPropertySourceLoader()
        .load("application.yaml", file)
        .forEach(source -> environment.getPropertySources().addFirst(source));
    return environment;
  }
}
