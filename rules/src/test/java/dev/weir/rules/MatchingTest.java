package dev.weir.rules;

import static dev.weir.rules.Requests.matches;
import static dev.weir.rules.Requests.request;
import static dev.weir.rules.Requests.rulesWhen;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MatchingTest {
  @ParameterizedTest
  @CsvSource({
    "/login, /login, true",
    "/login, /login/, false",
    "/login, /Login, false",
    "/api/**, /api, true",
    "/api/**, /api/, true",
    "/api/**, /api/a/b, true",
    "/api/**, /apis, false",
    "/api/*, /api/a, true",
    "/api/*, /api/, true",
    "/api/*, /api, false",
    "/api/*, /api/a/b, false",
    "/a/*/c, /a/b/c, true",
    "/a/*/c, /a/b/d, false",
    "/a/**/c, /a/c, true",
    "/a/**/c, /a/x/c/y/c, true",
    "/a/**/c, /a/x/c/y, false",
    "/a/**/b/**/c, /a/b/x/b/y/c, true",
    "/**/*.png, /img/a.png, true",
    "/**/*.png, /img/a.gif, false",
    "/v*/x, /v2/x, true",
    "/v*/x, /w2/x, false",
    "**, /anything/at/all, true",
    "/**, /, true",
  })
  void aPathPatternFitsWhatItSays(String pattern, String path, boolean fits) {
    RuleSet rules = rulesWhen(List.of("path: \"" + pattern + "\""));
    assertThat(matches(rules, "path=" + path)).hasSize(fits ? 1 : 0);
  }

  /** As the service reads {@code /api%2Fitems}: no reading of it may slip past a rule. */
  @Test
  void aRuleAppliesIfAnyPathOfTheRequestMatches() {
    RuleSet rules =
        RuleSet.parse(
            "rules.yaml",
            """
            rules:
              - {name: split, when: {path: /api/items}, limits: [{name: l, key: ip, limit: 1 per hour}]}
              - {name: kept, when: {path: /*}, limits: [{name: l, key: path, limit: 1 per hour}]}
              - {name: all, limits: [{name: l, key: ip, limit: 1 per hour}]}
              - {name: other, when: {path: /other}, limits: [{name: l, key: ip, limit: 1 per hour}]}
            """);
    Attributes request =
        Attributes.of(Map.of("ip", "192.0.2.1", "path", "/api/items"), List.of("/api%2Fitems"));
    assertThat(rules.claims(request))
        .extracting(claim -> claim.policy().rule() + " " + claim.key())
        .containsExactlyInAnyOrder("split 192.0.2.1", "kept /api%2Fitems", "all 192.0.2.1");
    assertThat(rules.explain(request).rules())
        .filteredOn(Explanation.RuleView::matched)
        .extracting(Explanation.RuleView::rule)
        .containsExactly("split", "kept", "all");
  }

  @Test
  void everyConditionMustFitAndEachByOneOfItsValues() {
    RuleSet rules = rulesWhen(List.of("path: [/a, /b], method: [GET, POST], plan: free"));
    assertThat(matches(rules, "path=/b", "method=GET", "plan=free")).hasSize(1);
    assertThat(matches(rules, "path=/c", "method=GET", "plan=free")).isEmpty();
    assertThat(matches(rules, "path=/b", "method=PUT", "plan=free")).isEmpty();
    assertThat(matches(rules, "path=/b", "method=GET")).isEmpty();
  }

  @Test
  void aRuleWithoutConditionsMatchesEveryRequest() {
    assertThat(matches(rulesWhen(List.of("")), "anything=x")).hasSize(1);
    assertThat(matches(rulesWhen(List.of("")))).hasSize(1);
  }

  @Test
  void aStarStandsForAnyCharactersOfAnAttribute() {
    RuleSet rules = rulesWhen(List.of("ip: 10.*", "tenant: \"*\"", "agent: \"*bot*\""));
    assertThat(matches(rules, "ip=10.1.2.3")).containsExactly("r0");
    assertThat(matches(rules, "ip=110.1.2.3")).isEmpty();
    assertThat(matches(rules, "tenant=")).containsExactly("r1");
    assertThat(matches(rules, "agent=a good bot 1.0")).containsExactly("r2");
  }

  @Test
  void everyRuleThatMatchesHasItsSayOnceInTheOrderWritten() {
    RuleSet rules =
        rulesWhen(List.of("path: [/a/**, /a/*, /a/b]", "user: u", "", "path: /a/b", "path: /c"));
    assertThat(matches(rules, "path=/a/b", "user=u")).containsExactly("r0", "r1", "r2", "r3");
  }

  /** The index against asking every rule, which is what {@code explain} does. */
  @Test
  void theIndexFindsExactlyTheRulesThatMatch() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      List<String> conditions = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        conditions.add(randomCondition(random));
      }
      RuleSet rules = rulesWhen(conditions);
      for (int i = 0; i < 50; i++) {
        String[] attributes = randomRequest(random);
        List<String> expected =
            rules.explain(request(attributes)).rules().stream()
                .filter(Explanation.RuleView::matched)
                .map(Explanation.RuleView::rule)
                .toList();
        assertThat(matches(rules, attributes))
            .as("seed %s, rules %s, request %s", seed, conditions, List.of(attributes))
            .isEqualTo(expected);
      }
    }
  }

  private static String randomCondition(Random random) {
    List<String> parts = new ArrayList<>();
    if (random.nextInt(4) > 0) {
      parts.add("path: [" + randomPath(random, true) + ", " + randomPath(random, true) + "]");
    }
    for (String attribute : List.of("method", "user", "tenant")) {
      if (random.nextInt(4) == 0) {
        parts.add(attribute + ": " + pick(random, "A", "B", "[A, C]", "\"*\"", "\"A*\""));
      }
    }
    return String.join(", ", parts);
  }

  private static String randomPath(Random random, boolean pattern) {
    StringBuilder path = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      path.append('/');
      path.append(
          pattern
              ? pick(random, "a", "b", "ab", "", "*", "a*", "**")
              : pick(random, "a", "b", "ab", ""));
    }
    return pattern ? '"' + path.toString().replaceAll("/+", "/") + '"' : path.toString();
  }

  private static String[] randomRequest(Random random) {
    Map<String, String> request = new HashMap<>();
    request.put("path", randomPath(random, false));
    for (String attribute : List.of("method", "user", "tenant")) {
      if (random.nextBoolean()) {
        request.put(attribute, pick(random, "A", "B", "C", "AB"));
      }
    }
    return request.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .toArray(String[]::new);
  }

  private static String pick(Random random, String... from) {
    return from[random.nextInt(from.length)];
  }
}
