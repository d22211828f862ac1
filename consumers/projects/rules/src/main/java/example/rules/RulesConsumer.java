package example.rules;

import dev.weir.rules.Attributes;
import dev.weir.rules.RuleSet;
import java.util.Map;

/** Limits chosen by rules. */
final class RulesConsumer {
  private static final String RULES =
      """
      rules:
        - name: login
          when: {path: /login}
          limits:
            - {name: minute, key: ip, limit: 10 per minute}
      """;

  private RulesConsumer() {}

  public static void main(String[] arguments) {
    RuleSet rules = RuleSet.parse("example.yaml", RULES);
    System.out.println(claims(rules, "/login") + " " + claims(rules, "/other"));
  }

  private static int claims(RuleSet rules, String path) {
    return rules.claims(Attributes.of(Map.of("path", path, "ip", "192.0.2.1"))).size();
  }
}
