package dev.weir.spring.internal.rules;

import dev.weir.rules.RuleSet;
import dev.weir.spring.internal.setting.InvalidSettingException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Single rules of the version in effect, found by name. Safe for many threads. */
public final class RulesByName {
  private static final System.Logger LOG = System.getLogger(RulesByName.class.getName());

  private final Set<String> unlimitedPlaces = ConcurrentHashMap.newKeySet();
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

  /**
   * The rule alone, of a place that was checked when the application started. If the rule has been
   * removed since then, the place limits nothing any more, and the log says so once.
   *
   * @param place what names the rule, for the log
   */
  public RuleSet findOrEmpty(String name, String place) {
    Optional<RuleSet> rule = find(name);
    if (rule.isEmpty() && unlimitedPlaces.add(place)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} limits nothing: the rule {1} has been removed",
          place,
          name);
    }
    return rule.orElseGet(RuleSet::empty);
  }

  /**
   * Checks that a rule exists.
   *
   * @param property where the name was written
   * @throws InvalidSettingException if there is none of this name
   */
  public void require(String name, String property) {
    if (find(name).isEmpty()) {
      throw new InvalidSettingException(
          property, name, "must name a rule, one of " + all().names());
    }
  }

  /** The rules in effect. */
  public RuleSet all() {
    return rules.get();
  }
}
