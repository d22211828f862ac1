package dev.weir.cli.diff;

import dev.weir.cli.outline.LimitOutline;
import dev.weir.cli.outline.RuleOutline;
import dev.weir.internal.text.HumanDuration;
import dev.weir.internal.text.SlotsExpression;
import dev.weir.redis.RedisAddress;
import dev.weir.redis.StoreAddress;
import dev.weir.rules.RuleSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares two sets of rules, rule by rule and limit by limit, by their names. */
final class RuleChanges {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "algorithm", "token-bucket",
          "mode", "enforce",
          "on-store-failure", "allow",
          "reserve-at-most", "100 %");

  private final List<RuleChange> changes = new ArrayList<>();

  private RuleChanges() {}

  /** In the order of the old rules, and then what is new; empty if they mean the same. */
  static List<RuleChange> between(RuleSet before, RuleSet after) {
    RuleChanges found = new RuleChanges();
    found.compareStores(store(before), store(after));
    Map<String, RuleOutline> old = byName(RuleOutline.of(before), RuleOutline::name);
    Map<String, RuleOutline> now = byName(RuleOutline.of(after), RuleOutline::name);
    for (String name : union(old, now)) {
      found.compare(name, old.get(name), now.get(name));
    }
    if (found.changes.isEmpty() && !before.names().equals(after.names())) {
      found.add("all rules", "their order changes; it has no effect on decisions");
    }
    return List.copyOf(found.changes);
  }

  /** As it may be shown: it can hold a password. */
  private static String store(RuleSet rules) {
    return rules
        .store()
        .filter(text -> !text.equals(StoreAddress.MEMORY))
        .map(RedisAddress::mask)
        .orElse(StoreAddress.MEMORY);
  }

  private void compareStores(String was, String is) {
    if (!was.equals(is)) {
      add("all rules", "store was " + was + ", is " + is + "; counts are not taken along");
    }
  }

  private static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
    Map<String, T> named = new LinkedHashMap<>();
    all.forEach(each -> named.put(name.apply(each), each));
    return named;
  }

  private void compare(String name, @Nullable RuleOutline old, @Nullable RuleOutline now) {
    if (now == null && old != null) {
      add("rule " + name, "is removed, with " + limits(old));
    } else if (now != null && old == null) {
      add("rule " + name, "is new, for " + requests(now));
      now.limits().forEach(limit -> add(name + "/" + limit.name(), "is new: " + text(limit)));
    } else if (now != null && old != null) {
      compareSettings("rule " + name, old.when(), now.when(), "when ", "anything");
      compareSettings("rule " + name, old.settings(), now.settings(), "", "none");
      compareLimits(name, old, now);
    }
  }

  private void compareLimits(String rule, RuleOutline before, RuleOutline after) {
    Map<String, LimitOutline> old = byName(before.limits(), LimitOutline::name);
    Map<String, LimitOutline> now = byName(after.limits(), LimitOutline::name);
    for (String name : union(old, now)) {
      String where = rule + "/" + name;
      LimitOutline was = old.get(name);
      LimitOutline is = now.get(name);
      if (is == null) {
        add(where, "is removed; it was " + text(was));
      } else if (was == null) {
        add(where, "is new: " + text(is));
      } else {
        if (!was.key().equals(is.key())) {
          add(where, "counts by " + key(is) + " instead of " + key(was) + ", from zero");
        }
        compareSettings(where, was.settings(), is.settings(), "", "none");
      }
    }
  }

  /**
   * @param none how a setting that is missing is called, unless it has a default
   */
  private void compareSettings(
      String where, Map<String, String> old, Map<String, String> now, String prefix, String none) {
    for (String name : union(old, now)) {
      String was = old.getOrDefault(name, usual(name, old, none));
      String is = now.getOrDefault(name, usual(name, now, none));
      if (!was.equals(is)) {
        add(where, prefix + name + " was " + was + ", is " + is + RateComparison.of(was, is));
      }
    }
  }

  private static String usual(String name, Map<String, String> settings, String none) {
    boolean ofSlots =
        name.equals("hold") && SlotsExpression.isOne(settings.getOrDefault("limit", ""));
    return ofSlots
        ? HumanDuration.of(SlotsExpression.USUAL_HOLD)
        : DEFAULTS.getOrDefault(name, none);
  }

  private void add(String where, String text) {
    changes.add(new RuleChange(where, text));
  }

  private static String limits(RuleOutline rule) {
    return rule.limits().size() == 1
        ? "its limit " + rule.limits().get(0).name()
        : "its " + rule.limits().size() + " limits";
  }

  private static String requests(RuleOutline rule) {
    return rule.when().isEmpty()
        ? "every request"
        : rule.when().entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(" and "));
  }

  private static String text(LimitOutline limit) {
    String settings =
        limit.settings().entrySet().stream()
            .map(
                entry ->
                    entry.getKey().equals("limit")
                        ? entry.getValue()
                        : entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
    return settings + ", by " + key(limit);
  }

  private static String key(LimitOutline limit) {
    return limit.key().isEmpty() ? "one counter for all" : String.join(" and ", limit.key());
  }

  private static Set<String> union(Map<String, ?> old, Map<String, ?> now) {
    Set<String> names = new LinkedHashSet<>(old.keySet());
    names.addAll(now.keySet());
    return names;
  }
}
