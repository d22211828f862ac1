package dev.weir.rules.internal.read;

import dev.weir.FailurePolicy;
import dev.weir.Mode;
import dev.weir.rules.internal.match.Condition;
import dev.weir.rules.internal.match.Rule;
import dev.weir.rules.internal.match.RuleLimit;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Items;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one entry of {@code rules}. */
final class RuleReader {
  private static final List<String> KEYS =
      List.of("name", "when", "limits", "on-store-failure", "mode");

  private final UniqueNames names;
  private final WhenReader conditions;
  private final LimitReader limits;
  private final FaultCollector faults;

  /** What a rule says for all its limits. */
  record Head(String name, Mode mode, FailurePolicy onStoreFailure) {}

  RuleReader(UniqueNames names, OverridesReader overrides, FaultCollector faults) {
    this.names = names;
    this.conditions = new WhenReader(faults);
    this.limits = new LimitReader(overrides, faults);
    this.faults = faults;
  }

  /** Null if the entry is not a rule; the reason is then among the faults. */
  @Nullable Rule read(YamlNode node) {
    if (!(node instanceof Mapping mapping)) {
      faults.add(node.at(), "a rule must be a mapping with name and limits, was " + node.kind());
      return null;
    }
    MappingReader section =
        new MappingReader(UniqueNames.owner("rule", mapping), mapping, KEYS, faults);
    String name = names.read(section, "the name its limits are counted and reported under");
    Mode mode = section.choice("mode", Mode.values(), Mode.ENFORCE);
    FailurePolicy policy =
        section.choice("on-store-failure", FailurePolicy.values(), FailurePolicy.ALLOW);
    List<Condition> when = conditions.read(section.get("when"));
    Head head = new Head(name == null ? "?" : name, mode, policy);
    return new Rule(
        head.name, when, limits(section, head), node.at().file() + ":" + node.at().line());
  }

  private List<RuleLimit> limits(MappingReader section, Head head) {
    YamlNode node = section.required("limits", "a list of at least one");
    if (node == null) {
      return List.of();
    }
    if (!(node instanceof Items items) || items.values().isEmpty()) {
      String found = node instanceof Items ? "an empty one" : node.kind();
      faults.add(node.at(), "limits must be a list of at least one, was " + found);
      return List.of();
    }
    UniqueNames limitNames = new UniqueNames("limit", faults);
    List<RuleLimit> read = new ArrayList<>();
    for (YamlNode item : items.values()) {
      RuleLimit limit = limits.read(head, limitNames, item);
      if (limit != null) {
        read.add(limit);
      }
    }
    return read;
  }
}
