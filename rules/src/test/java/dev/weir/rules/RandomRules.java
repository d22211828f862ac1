package dev.weir.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Rules of all kinds, with texts that nobody should use. Prints the seed it starts from. */
final class RandomRules {
  /** Each is something else than this text to some reader of YAML, unless it is quoted well. */
  static final List<String> NASTY =
      List.of(
          "",
          " ",
          " a",
          "a ",
          "a: b",
          "a:",
          ":",
          "a #b",
          "#",
          "\"",
          "'",
          "'a'",
          "\\",
          "\\n",
          "a\"b",
          "a\nb",
          "\n",
          "a\r\nb",
          "\t",
          "a\tb",
          "yes",
          "No",
          "null",
          "~",
          "123",
          "1e3",
          "0x1F",
          "12:30",
          "2026-11-16",
          ".inf",
          "-",
          "- a",
          "---",
          "...",
          "?",
          "? a",
          "!a",
          "!!str",
          "&a",
          "*",
          "*a",
          "|",
          ">",
          "%",
          "@a",
          "`",
          "[a]",
          "{a: b}",
          "a, b",
          "a,b",
          "a~,b",
          "<<",
          "=",
          "default",
          "\u00fc",
          "\ud83d\ude00",
          "\ud83d\udc69\u200d\ud83d\udcbb",
          "\ud800",
          "\udc00a",
          "\0",
          "\u001b[31m",
          "\u007f",
          "\u0085",
          "\u00a0",
          "\u2028",
          "\u202e",
          "\ufeff",
          "\uffff",
          "\udbff\udfff",
          "x".repeat(5000),
          "\u0001".repeat(900));

  private static final List<String> ATTRIBUTES = List.of("ip", "user", "a: b", "no", " ?\n");
  private static final List<String> ALGORITHMS =
      List.of("token-bucket", "fixed-window", "sliding-window", "sliding-log");
  private static final List<String> SPANS =
      List.of("second", "minute", "hour", "day", "week", "250ms", "1h30m", "1d12h", "10us");
  private static final List<String> CALENDAR =
      List.of("month", "month in Europe/Berlin", "day in UTC", "week in Etc/GMT+5", "day in Z");

  private static final List<String> PENALTIES =
      List.of(
          "after: 1 denial per minute, block: 1s",
          "after: 5 denials per 10m, block: 15m, growing: 1.5, at-most: 2d",
          "after: 2 denials per day, block: 3d, growing: 1");

  private final String seed;
  private final Random random;

  /** The few texts of one set of rules, so that requests meet what rules say. */
  private List<String> texts = List.of("a", "");

  RandomRules(String test) {
    long start = Long.getLong("weir.seed", 1);
    seed = test + " seed " + start;
    System.out.println(seed);
    random = new Random(start);
  }

  @Override
  public String toString() {
    return seed;
  }

  /** In double quotes with every character escaped: what cannot be wrong. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints().forEach(point -> quoted.append(String.format("\\U%08x", point)));
    return quoted.append('"').toString();
  }

  String yaml() {
    texts = Stream.generate(() -> pick(NASTY)).limit(8).toList();
    List<String> rules = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      rules.add(rule("r" + i));
    }
    return "rules: [" + String.join(",\n", rules) + "]";
  }

  private String rule(String name) {
    List<String> entries = new ArrayList<>(List.of("name: " + name));
    if (random.nextBoolean()) {
      entries.add("when: {" + conditions() + "}");
    }
    sometimes(entries, () -> "mode: " + pick(List.of("enforce", "shadow")));
    sometimes(
        entries, () -> "on-store-failure: " + pick(List.of("allow", "deny", "local", "error")));
    List<String> limits = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      limits.add(limit("n " + i));
    }
    entries.add("limits: " + limits);
    return "{" + String.join(", ", entries) + "}";
  }

  private String conditions() {
    List<String> conditions = new ArrayList<>(List.of("method: [GET, PUT, \"*\"]"));
    sometimes(conditions, () -> "path: " + pick(List.of("/a/**", "[/a, '/b/*']", "'*'", "/a b")));
    List<String> values = new ArrayList<>(List.of(quoted(pick(texts)), "\"*a*\""));
    sometimes(values, () -> quoted(pick(texts)));
    sometimes(conditions, () -> explicit(pick(ATTRIBUTES), values.toString()));
    return String.join(", ", conditions);
  }

  private String limit(String name) {
    String algorithm = pick(ALGORITHMS);
    List<String> entries = new ArrayList<>(List.of("name: " + name, "algorithm: " + algorithm));
    entries.add("key: " + keys());
    if (random.nextBoolean()) {
      entries.add("limit: " + allowance(algorithm));
    } else {
      entries.add("by: " + quoted(pick(ATTRIBUTES)));
      entries.add("limit: {" + allowances(algorithm) + "}");
    }
    sometimes(entries, () -> "overrides: {" + allowances(algorithm) + "}");
    sometimes(entries, () -> "cost: " + pick(List.of("tokens", quoted("user"))));
    if (algorithm.equals("token-bucket")) {
      sometimes(entries, () -> "burst: " + (1 + random.nextInt(9)));
    }
    sometimes(entries, () -> "penalty: {" + pick(PENALTIES) + "}");
    return "{" + String.join(", ", entries) + "}";
  }

  private String keys() {
    List<String> keys = new ArrayList<>();
    for (String attribute : ATTRIBUTES) {
      if (random.nextInt(4) == 0) {
        keys.add(quoted(attribute));
      }
    }
    return keys.size() == 1 && random.nextBoolean() ? keys.get(0) : keys.toString();
  }

  private String allowances(String algorithm) {
    Map<String, String> allowances = new HashMap<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      String key = pick(texts);
      allowances.put(key, explicit(key, allowance(algorithm)));
    }
    return String.join(", ", allowances.values());
  }

  /** An entry whose key may be of any length. */
  private static String explicit(String key, String value) {
    return "? " + quoted(key) + "\n: " + value;
  }

  private String allowance(String algorithm) {
    boolean calendar = algorithm.equals("fixed-window") && random.nextBoolean();
    return switch (random.nextInt(6)) {
      case 0 -> "blocked";
      case 1 -> "unlimited";
      default -> 1 + random.nextInt(9) + " per " + pick(calendar ? CALENDAR : SPANS);
    };
  }

  /** A request that has many of the attributes that the rules look at, with values they know. */
  Attributes request(RuleSet rules) {
    Map<String, String> values = new HashMap<>();
    for (String name : new TreeSet<>(rules.attributes())) {
      if (random.nextInt(6) > 0) {
        values.put(name, value(name));
      }
    }
    return Attributes.of(values);
  }

  private String value(String attribute) {
    return switch (attribute) {
      case "path" -> pick(List.of("/a", "/a/b", "/b/c", "/a b", "/login", "/api/x", "/search"));
      case "method" -> pick(List.of("GET", "PUT", "POST"));
      case "tokens" -> pick(List.of("0", "17", "many"));
      case "plan" -> pick(List.of("free", "premium", "default", "lead"));
      case "tenant" -> pick(List.of("acme", "evil", "ourselves", "globex", "initech", "b"));
      default -> pick(texts);
    };
  }

  private void sometimes(List<String> list, Supplier<String> text) {
    if (random.nextBoolean()) {
      list.add(text.get());
    }
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
