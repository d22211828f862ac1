package dev.weir.spring.gateway.internal;

import dev.weir.spring.internal.rules.RulesByName;
import java.util.Map;

/** The one argument of our filter, as properties have it: {@code Weir=orders}. */
final class RuleArgument {
  /** What both gateway servers call an argument that is written without a name. */
  private static final String FIRST_UNNAMED = "_genkey_0";

  private static final String EXPRESSION = "#{";

  private RuleArgument() {}

  /**
   * Checks that it names a rule. An expression is not evaluated here: the gateway evaluates it when
   * it makes the route, where it is checked as well.
   *
   * @param arguments of the filter, by name
   * @param property the filter, as a user writes it
   */
  static void check(Map<String, String> arguments, String property, RulesByName rules) {
    String rule = arguments.getOrDefault("rule", arguments.getOrDefault(FIRST_UNNAMED, ""));
    if (!isExpression(rule)) {
      rules.require(rule, property);
    }
  }

  static boolean isExpression(String value) {
    return value.startsWith(EXPRESSION);
  }
}
