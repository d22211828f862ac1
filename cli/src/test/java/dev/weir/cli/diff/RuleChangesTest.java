package dev.weir.cli.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.rules.InvalidRulesException;
import dev.weir.rules.RuleSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No key of a rule file changes without being told. */
final class RuleChangesTest {
  private static final String WINDOW = "limit: 9 per day, algorithm: fixed-window";
  private static final String PENALTY = "limit: 9 per hour, penalty: {after: 5 denials per 10m, ";

  /** A limit without and with each of its keys, or with two values; and how that is told. */
  private static final Map<String, List<String>> LIMITS =
      Map.ofEntries(
          limit("name", "name: a, limit: 9 per hour", "name: b, limit: 9 per hour", "is removed"),
          limit("key", "key: ip, limit: 9 per hour", "key: user, limit: 9 per hour", "counts by"),
          limit("limit", "limit: 9 per hour", "limit: 8 per hour", "limit was 9 per hour, is 8"),
          limit(
              "by",
              "by: plan, limit: {free: 9 per hour}",
              "by: tier, limit: {free: 9 per hour}",
              "by was plan, is tier"),
          limit(
              "burst", "limit: 9 per hour", "limit: 9 per hour, burst: 3", "burst was none, is 3"),
          limit(
              "algorithm",
              "limit: 9 per hour",
              "limit: 9 per hour, algorithm: sliding-log",
              "algorithm was token-bucket, is sliding-log"),
          limit("hold", "limit: 9 at once", "limit: 9 at once, hold: 45s", "hold was 30s, is 45s"),
          limit("lease", "limit: 9 per hour", "limit: 9 per hour, lease: auto", "lease was none"),
          limit(
              "split", "limit: 9 per hour", "limit: 9 per hour, split: 2", "split was none, is 2"),
          limit("warn-at", WINDOW, WINDOW + ", warn-at: 80 %", "warn-at was none, is 80 %"),
          limit(
              "reserve-at-most",
              WINDOW,
              WINDOW + ", reserve-at-most: 25 %",
              "reserve-at-most was 100 %, is 25 %"),
          limit("cost", "limit: 9 per hour", "limit: 9 per hour, cost: tokens", "cost was none"),
          limit(
              "overrides",
              "limit: 9 per hour",
              "limit: 9 per hour, overrides: {a: blocked}",
              "overrides.a was none, is blocked"),
          limit(
              "overrides-file",
              "limit: 9 per hour",
              "limit: 9 per hour, overrides-file: tenants.yaml",
              "overrides.acme was none, is 2 per hour"),
          limit(
              "count",
              "limit: 9 per hour, count: {status: [401]}",
              "limit: 9 per hour, count: {status: [401, 403]}",
              "count.status was 401, is 401 or 403"),
          limit(
              "give-back",
              "limit: 9 per hour",
              "limit: 9 per hour, give-back: {status: [500-599]}",
              "give-back.status was none, is 500-599"),
          limit("penalty", "limit: 9 per hour", PENALTY + "block: 15m}", "penalty.block was none"));

  private static final Map<String, List<String>> PENALTIES =
      Map.ofEntries(
          limit(
              "after",
              PENALTY + "block: 15m}",
              PENALTY.replace("5 denials", "6 denials") + "block: 15m}",
              "penalty.after was 5 denials per 10m, is 6 denials per 10m"),
          limit("block", PENALTY + "block: 15m}", PENALTY + "block: 20m}", "penalty.block was 15m"),
          limit(
              "growing",
              PENALTY + "block: 15m}",
              PENALTY + "block: 15m, growing: 3}",
              "penalty.growing was 2, is 3"),
          limit(
              "at-most",
              PENALTY + "block: 15m}",
              PENALTY + "block: 15m, at-most: 2d}",
              "penalty.at-most was 1d, is 2d"));

  private static final Map<String, List<String>> RULES =
      Map.of(
          "name", List.of("name: r", "name: s", "is removed"),
          "when", List.of("name: r", "name: r, when: {path: /x}", "when path was anything, is /x"),
          "on-store-failure",
              List.of(
                  "name: r",
                  "name: r, on-store-failure: deny",
                  "on-store-failure was allow, is deny"),
          "mode", List.of("name: r", "name: r, mode: shadow", "mode was enforce, is shadow"));

  @TempDir private Path folder;

  private static Map.Entry<String, List<String>> limit(
      String key, String before, String after, String told) {
    return Map.entry(key, List.of(named(before), named(after), told));
  }

  private static String named(String limit) {
    return (limit.startsWith("name") ? "" : "name: a, ")
        + (limit.startsWith("key") ? "" : "key: ip, ")
        + limit;
  }

  private static String withLimit(String limit) {
    return "rules: [{name: r, limits: [{" + limit + "}]}]";
  }

  private static String withRule(String rule) {
    return "rules: [{" + rule + ", limits: [{name: a, key: ip, limit: 9 per hour}]}]";
  }

  @Test
  void everyKeyOfALimitIsTold() throws IOException {
    Files.writeString(folder.resolve("tenants.yaml"), "acme: 2 per hour\n");
    assertThat(LIMITS.keySet())
        .containsExactlyInAnyOrderElementsOf(known(withLimit("name: a, nothing: 1")));
    for (List<String> change : LIMITS.values()) {
      assertTold(withLimit(change.get(0)), withLimit(change.get(1)), change.get(2));
    }
  }

  @Test
  void everyKeyOfAPenaltyIsTold() throws IOException {
    assertThat(PENALTIES.keySet())
        .containsExactlyInAnyOrderElementsOf(known(withLimit(named(PENALTY + "nothing: 1}"))));
    for (List<String> change : PENALTIES.values()) {
      assertTold(withLimit(change.get(0)), withLimit(change.get(1)), change.get(2));
    }
  }

  @Test
  void everyKeyOfARuleIsTold() throws IOException {
    List<String> told = new ArrayList<>(RULES.keySet());
    told.add("limits"); // by the test of limits
    assertThat(told).containsExactlyInAnyOrderElementsOf(known(withRule("name: r, nothing: 1")));
    for (List<String> change : new TreeMap<>(RULES).values()) {
      assertTold(withRule(change.get(0)), withRule(change.get(1)), change.get(2));
    }
  }

  @Test
  void anotherStoreIsToldWithoutItsPassword() throws IOException {
    String rules = withRule("name: r");
    assertThat(known("nothing: 1\n" + rules)).containsExactly("store", "rules", "domains");
    assertTold(
        rules,
        "store: redis://:secret@host:6379\n" + rules,
        "store was memory, is redis://***@host:6379; counts are not taken along");
  }

  @Test
  void domainsAreToldByTheirDescriptors() throws IOException {
    String domain =
        "domain: d\ndescriptors: [{key: k, rate_limit: {unit: second, requests_per_unit: %d}}]\n";
    assertTold(
        domain.formatted(1), domain.formatted(2), "rate_limit.requests_per_unit was 1, is 2");
  }

  private void assertTold(String before, String after, String told) throws IOException {
    List<RuleChange> changes =
        RuleChanges.between(load("before.yaml", before), load("after.yaml", after));
    assertThat(changes).as(after).anySatisfy(change -> assertThat(change.text()).contains(told));
  }

  private RuleSet load(String name, String rules) throws IOException {
    return RuleSet.load(Files.writeString(folder.resolve(name), rules));
  }

  /** The keys that a reader expects where it found one that it does not know. */
  private static List<String> known(String rules) {
    InvalidRulesException refused =
        catchThrowableOfType(InvalidRulesException.class, () -> RuleSet.parse("test", rules));
    Matcher expected =
        Pattern.compile("\"nothing\" is unknown in .*, expected one of (.*)")
            .matcher(refused.getMessage());
    assertThat(expected.find()).as(refused.getMessage()).isTrue();
    return List.of(expected.group(1).split(", "));
  }
}
