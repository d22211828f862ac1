package dev.weir.spring.internal.rules;

import dev.weir.rules.Fault;
import dev.weir.rules.InvalidRulesException;
import dev.weir.rules.RuleSet;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * The rules in the application's properties, in the format of a rules file below {@code
 * weir.rules}.
 *
 * <p>As with every list in properties, the source with the highest precedence that has any of it
 * gives all of it. The properties are put together again into the text of a rules file, so there is
 * one reader for both; its faults are told by property.
 */
final class PropertyRules {
  public static final String PROPERTY = "weir.rules";

  private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(PROPERTY);

  private PropertyRules() {}

  /**
   * Empty if there are none.
   *
   * @throws InvalidRulePropertiesException with the property of every fault
   */
  public static Optional<RuleSet> read(Environment environment) {
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      PropertyNode rules = tree(source, environment);
      if (!rules.isLeaf()) {
        return Optional.of(parse(new RulesText(rules)));
      }
    }
    return Optional.empty();
  }

  private static PropertyNode tree(ConfigurationPropertySource source, Environment environment) {
    PropertyNode root = new PropertyNode(PROPERTY);
    if (source instanceof IterableConfigurationPropertySource all) {
      all.stream()
          .filter(PropertyRules::isOfARule)
          .forEach(name -> add(root, source.getConfigurationProperty(name), environment));
    }
    return root;
  }

  /** Below a numbered rule: the variable WEIR_RULES_FILE reads as {@code weir.rules.file}. */
  private static boolean isOfARule(ConfigurationPropertyName name) {
    return ROOT.isAncestorOf(name) && name.isNumericIndex(ROOT.getNumberOfElements());
  }

  private static void add(
      PropertyNode root, ConfigurationProperty property, Environment environment) {
    String text = environment.resolveRequiredPlaceholders(String.valueOf(property.getValue()));
    root.add(property, text, ROOT.getNumberOfElements());
  }

  private static RuleSet parse(RulesText rules) {
    try {
      return RuleSet.parse(PROPERTY, rules.text());
    } catch (InvalidRulesException invalid) {
      List<RulePropertyFault> faults =
          invalid.faults().stream().map(fault -> fault(rules, fault)).toList();
      throw new InvalidRulePropertiesException(faults);
    }
  }

  private static RulePropertyFault fault(RulesText rules, Fault fault) {
    PropertyNode node = rules.property(fault.line());
    return new RulePropertyFault(node.property(), node.value(), node.origin(), fault.text());
  }
}
