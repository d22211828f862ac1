package dev.weir.cli.ruletest;

import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.cli.outline.LimitOutline;
import dev.weir.cli.outline.RuleOutline;
import dev.weir.cli.simulate.input.LoggedRequest;
import dev.weir.cli.simulate.replay.ReplayTarget;
import dev.weir.cli.time.VirtualTime;
import dev.weir.http.ClientAddress;
import dev.weir.http.RequestAttributes;
import dev.weir.internal.text.PrintableText;
import dev.weir.redis.StoreAddress;
import dev.weir.rules.RuleSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A first file of tests: for each limit a request that reaches it, made until it is denied. The
 * expectations are what the rules answer today, so the tests pass until a rule changes.
 */
final class StarterTests {
  private static final int MAX_REQUESTS = 100_000;
  private static final String HEAD =
      """
      # Tests of rules: weir test --config weir.yaml tests.yaml
      # Each test starts with an empty store, at time 0s. Change what is expected to what must hold.
      tests:
      """;

  /** What to start from where there are no rules yet. */
  static final String EXAMPLE =
      HEAD
          + """
            - name: the sixth login within a minute is denied
              requests:
                - {at: 0s, attributes: {path: /login, method: POST, ip: 192.0.2.1}, times: 5, expect: allowed}
                - {at: 1s, attributes: {path: /login, method: POST, ip: 192.0.2.1}, expect: denied}
            - name: another address is not affected
              requests:
                - {at: 0s, attributes: {path: /login, method: POST, ip: 192.0.2.1}, times: 6}
                - {at: 1s, attributes: {path: /login, method: POST, ip: 192.0.2.2}, expect: allowed}
          """;

  private StarterTests() {}

  static String of(RuleSet rules) {
    StringBuilder out = new StringBuilder(HEAD);
    int written = 0;
    for (RuleOutline rule : RuleOutline.of(rules)) {
      for (LimitOutline limit : rule.limits()) {
        written += write(rules, rule, limit, out) ? 1 : 0;
      }
    }
    return written == 0 ? EXAMPLE : out.toString();
  }

  /** Whether there was anything to write. */
  private static boolean write(
      RuleSet rules, RuleOutline rule, LimitOutline limit, StringBuilder out) {
    Map<String, String> attributes = sample(rule, limit);
    RequestAttributes read = RequestAttributes.read(attributes, ClientAddress.ofConnection());
    VirtualTime clock = new VirtualTime();
    LoggedRequest request = new LoggedRequest(0, read.values(), read.otherPaths(), 1, null);
    try (ReplayTarget target =
        ReplayTarget.open(rules, StoreAddress.parse(StoreAddress.MEMORY), clock)) {
      for (int allowed = 0; allowed < MAX_REQUESTS; allowed++) {
        Decision decision = target.decide(request);
        if (!decision.allowed()) {
          return write(rule.name() + "/" + limit.name(), attributes, allowed, decision, out);
        }
        if (decision.outcomes().isEmpty()) {
          return false;
        }
      }
    }
    return false;
  }

  /** Empty if another limit denies first; that limit then has its own test. */
  private static boolean write(
      String name,
      Map<String, String> attributes,
      int allowed,
      Decision denial,
      StringBuilder out) {
    if (!denial.deniedBy().map(StarterTests::name).filter(name::equals).isPresent()) {
      return false;
    }
    String request =
        attributes.entrySet().stream()
            .map(entry -> quoted(entry.getKey()) + ": " + quoted(entry.getValue()))
            .collect(Collectors.joining(", ", "attributes: {", "}"));
    out.append("  - name: ")
        .append(quoted(name + (allowed == 0 ? " denies" : " denies after " + allowed)))
        .append("\n    requests:\n");
    if (allowed > 0) {
      out.append("      - {at: 0s, " + request + ", times: " + allowed + ", expect: allowed}\n");
    }
    out.append("      - {at: 0s, " + request + ", expect: denied, by: " + quoted(name) + "}\n");
    return true;
  }

  private static String name(Outcome outcome) {
    return outcome.policy().rule() + "/" + outcome.policy().name();
  }

  /** A request that the rule matches, with all attributes of the limit's key. */
  private static Map<String, String> sample(RuleOutline rule, LimitOutline limit) {
    Map<String, String> attributes = new LinkedHashMap<>();
    rule.when().forEach((name, values) -> attributes.put(name, fitting(values)));
    for (String name : limit.key()) {
      attributes.putIfAbsent(name, name.equals("ip") ? "192.0.2.1" : name + "-1");
    }
    return attributes;
  }

  /** The first of the values, with text in the place of its wildcards. */
  private static String fitting(String values) {
    return values.split(" or ")[0].replaceAll("\\*+", "x");
  }

  /** Plain where every reader of YAML takes it for text, else in double quotes with escapes. */
  private static String quoted(String text) {
    return text.matches("[A-Za-z/](?:[A-Za-z0-9 /_.@-]*[A-Za-z0-9/_.@-])?")
            || text.matches("[0-9]{1,3}([.][0-9]{1,3}){3}")
        ? text
        : '"' + PrintableText.of(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }
}
