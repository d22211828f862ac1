package dev.weir.rules;

import static dev.weir.rules.Requests.claim;
import static dev.weir.rules.Requests.limit;
import static dev.weir.rules.Requests.matches;
import static dev.weir.rules.Requests.rulesWhen;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules written as text and read again are the same rules. */
final class ToYamlTest {
  @Test
  void theTextIsOneFormWhateverTheFilesLookLike(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("a.yaml"),
        """
        store: redis://:secret@localhost:6379
        rules:
          - {mode: enforce, limits: [{limit: 10 per minute, key: [ip], name: minute}], name: all}
        """);
    Files.writeString(
        folder.resolve("b.yaml"),
        """
        rules:
          - name: api
            when: {path: [/api/**, "*.json"], method: [GET]}
            mode: shadow
            on-store-failure: deny
            limits:
              - name: plan
                key: [tenant, user]
                by: plan
                burst: 50
                cost: tokens
                limit: {premium: 50 per minute, free: 5 per minute, default: blocked}
                overrides-file: tenants.yaml
                overrides: {"a,b": unlimited}
              - {name: month, key: [], limit: 9 per month in Europe/Berlin, algorithm: fixed-window}
        """);
    Files.writeString(folder.resolve("tenants.yaml"), "42: 7 per 1h30m\n\"x: y\": blocked\n");
    RuleSet rules = RuleSet.load(folder);
    assertThat(rules.toYaml())
        .isEqualTo(
            """
            rules:
              - name: all
                limits:
                  - name: minute
                    key: ip
                    limit: 10 per minute
              - name: api
                when:
                  path: [/api/**, "*.json"]
                  method: GET
                limits:
                  - name: plan
                    key: [tenant, user]
                    by: plan
                    limit:
                      default: blocked
                      free: 5 per minute
                      premium: 50 per minute
                    burst: 50
                    cost: tokens
                    overrides:
                      "42": 7 per 1h30m
                      "a,b": unlimited
                      "x: y": blocked
                  - name: month
                    key: []
                    limit: 9 per month in Europe/Berlin
                    algorithm: fixed-window
                on-store-failure: deny
                mode: shadow
            """);
    again(rules);
  }

  @Test
  void everyExampleOfTheDocumentIsTheSameAgain(@TempDir Path folder) throws IOException {
    List<String> examples = DocumentTest.examples(Files.readString(DocumentTest.DOCUMENT));
    Files.writeString(folder.resolve("tenants.yaml"), examples.remove(2));
    RandomRules random = new RandomRules("ToYamlTest, examples");
    for (String example : examples) {
      RuleSet rules = RuleSet.load(Files.writeString(folder.resolve("weir.yaml"), example));
      assertSame(rules, again(rules), random);
    }
  }

  @Test
  void anyRulesAreTheSameAgain() {
    RandomRules random = new RandomRules("ToYamlTest");
    int rounds = Boolean.getBoolean("weir.all-rounds") ? 300 : 75;
    for (int round = 0; round < rounds; round++) {
      RuleSet rules = RuleSet.parse("random", random.yaml());
      assertSame(rules, again(rules), random);
    }
  }

  /** Spellings that mean the same limit, each with what the others lack. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit: unlimited",
        "limit: blocked, burst: 7, algorithm: token-bucket",
        "limit: blocked, algorithm: sliding-log, overrides: {a: 3 per day}",
        "limit: 5 per minute, burst: 5",
        "limit: 5 per minute, burst: 5, overrides: {a: 6 per minute}",
        "limit: \"005  per\\tminute\"",
        "limit: 5 per day, algorithm: fixed-window, overrides: {a: 6 per week in UTC}",
        "by: p, limit: {a: 5 per day}, overrides: {}",
      })
  void aLimitIsTheSameAgain(String entries) {
    RuleSet rules = limit("key: k, " + entries);
    assertSame(rules, again(rules), new RandomRules("ToYamlTest, limits"));
  }

  static List<String> nastyTexts() {
    return RandomRules.NASTY;
  }

  @ParameterizedTest
  @MethodSource("nastyTexts")
  void anyTextIsTheSameAgainWhereverItStands(String text) {
    String quoted = RandomRules.quoted(text);
    String allowances = "? " + quoted + "\n: 7 per day";
    RuleSet keyed = again(limit("key: k, limit: 1 per day, overrides: {" + allowances + "}"));
    assertThat(claim(keyed, "k=" + text).policy().limit().permits()).isEqualTo(7);
    RuleSet tiered = again(limit("key: [], by: b, limit: {" + allowances + "}"));
    assertThat(claim(tiered, "b=" + text).policy().limit().permits()).isEqualTo(7);
    RuleSet valued = again(rulesWhen(List.of("a: " + quoted, "a: [x, " + quoted + "]")));
    assertThat(matches(valued, "a=" + text)).containsExactly("r0", "r1");
    RuleSet named = again(rulesWhen(List.of("? " + quoted + "\n: v")));
    assertThat(named.attributes()).containsExactly(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"yes", "null", "123", "a: b", "#x", "- a", "\"\\", "~", "[x]", "a #b", "*"})
  void namesAreTheSameAgain(String name) {
    String quoted = RandomRules.quoted(name);
    String limits = "limits: [{name: " + quoted + ", key: [], limit: 1 per day}]";
    RuleSet rules = again(RuleSet.parse("x", "rules: [{name: " + quoted + ", " + limits + "}]"));
    assertThat(rules.names()).containsExactly(name);
    assertThat(claim(rules).policy().name()).isEqualTo(name);
  }

  /** What plain YAML reads as a number, a word of its own or nothing stands in quotes. */
  @ParameterizedTest
  @ValueSource(strings = {"yes", "No", "NULL", "on", "~", "1", "1e3", "0x1F", ".5", "12:30", ""})
  void whatIsNotTextToAllReadersIsQuoted(String text) {
    RuleSet rules = rulesWhen(List.of("a: " + RandomRules.quoted(text)));
    assertThat(rules.toYaml()).contains("      a: \"" + text + "\"\n");
  }

  private static RuleSet again(RuleSet rules) {
    String text = rules.toYaml();
    RuleSet again = RuleSet.parse("again", text);
    assertThat(again.toYaml()).isEqualTo(text);
    assertThat(again.store()).isEmpty();
    return again;
  }

  private static void assertSame(RuleSet rules, RuleSet again, RandomRules random) {
    assertThat(again.names()).isEqualTo(rules.names());
    assertThat(again.attributes()).isEqualTo(rules.attributes());
    for (int i = 0; i < 40; i++) {
      Attributes request = random.request(rules);
      assertThat(answer(again, request))
          .as("%s, rules %s", random, rules.toYaml())
          .isEqualTo(answer(rules, request));
      assertThat(again.explain(request)).as("%s", random).isEqualTo(rules.explain(request));
    }
  }

  /** The claims, or what is wrong with the request. */
  private static Object answer(RuleSet rules, Attributes request) {
    Throwable refused = catchThrowable(() -> rules.claims(request, 3));
    return refused == null ? rules.claims(request, 3) : refused.getMessage();
  }
}
