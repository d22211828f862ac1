package dev.weir.rules;

import dev.weir.Claim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Short ways for tests to write requests and rules, and to read claims. */
final class Requests {
  private Requests() {}

  /** {@code request("user=a", "path=/x")}. */
  static Attributes request(String... attributes) {
    Map<String, String> values = new HashMap<>();
    for (String attribute : attributes) {
      int equals = attribute.indexOf('=');
      values.put(attribute.substring(0, equals), attribute.substring(equals + 1));
    }
    return Attributes.of(values);
  }

  /** Rules of one limit each, with the given {@code when}; named by their place, from 0. */
  static RuleSet rulesWhen(List<String> conditions) {
    StringBuilder yaml = new StringBuilder("rules:\n");
    for (int i = 0; i < conditions.size(); i++) {
      yaml.append("- {name: r").append(i);
      if (!conditions.get(i).isEmpty()) {
        yaml.append(", when: {").append(conditions.get(i)).append('}');
      }
      yaml.append(", limits: [{name: n, key: [], limit: 1 per day}]}\n");
    }
    return RuleSet.parse("test", yaml.toString());
  }

  /** One rule for every request, with one limit. */
  static RuleSet limit(String entries) {
    return RuleSet.parse("test", "rules: [{name: r, limits: [{name: n, " + entries + "}]}]");
  }

  static List<String> matches(RuleSet rules, String... attributes) {
    return rules.claims(request(attributes)).stream().map(claim -> claim.policy().rule()).toList();
  }

  static Claim claim(RuleSet rules, String... attributes) {
    List<Claim> claims = rules.claims(request(attributes));
    if (claims.size() != 1) {
      throw new AssertionError("one claim was expected, got " + claims);
    }
    return claims.get(0);
  }
}
