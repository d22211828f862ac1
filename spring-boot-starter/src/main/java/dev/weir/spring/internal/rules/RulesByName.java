package dev.weir.spring.internal.rules;

import dev.weir.rules.RuleSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Single rules of the version in effect, found by name. Safe for many threads. */
public final class RulesByName {
  private final Supplier<RuleSet> rules;
  private volatile IndexedRules version =
      new IndexedRules(RuleSet.empty(), new ConcurrentHashMap<>());

  private record IndexedRules(RuleSet rules, Map<String, Optional<RuleSet>> byName) {}

  public RulesByName(Supplier<RuleSet> rules) {
    this.rules = rules;
  }

  /** The rule alone, whatever its conditions; empty if there is none of this name. */
  public Optional<RuleSet> find(String name) {
    RuleSet current = rules.get();
    IndexedRules known = version;
    if (known.rules != current) {
      known = new IndexedRules(current, new ConcurrentHashMap<>());
      version = known;
    }
    return known.byName.computeIfAbsent(name, current::only);
  }

  /** The rules in effect. */
  public RuleSet all() {
    return rules.get();
  }
}
