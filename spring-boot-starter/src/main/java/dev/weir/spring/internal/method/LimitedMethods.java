package dev.weir.spring.internal.method;

import dev.weir.rules.RuleSet;
import dev.weir.spring.RateLimited;
import dev.weir.spring.RateLimits;
import dev.weir.spring.internal.rules.RulesByName;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

/**
 * The limits of methods, read from their annotations once and checked against the rules. Safe for
 * many threads.
 */
final class LimitedMethods {
  private final SpelExpressionParser parser = new SpelExpressionParser();
  private final Map<MethodClassKey, List<MethodLimit>> limits = new ConcurrentHashMap<>();
  private final Supplier<RulesByName> rules;
  private final UnaryOperator<String> placeholders;

  /**
   * @param rules asked for when the first annotation is found
   * @param placeholders resolves them in the name of a rule
   */
  LimitedMethods(Supplier<RulesByName> rules, UnaryOperator<String> placeholders) {
    this.rules = rules;
    this.placeholders = placeholders;
  }

  /**
   * Empty if the method is not limited.
   *
   * @throws InvalidRateLimitedException if an annotation cannot work
   */
  List<MethodLimit> of(Method method, Class<?> type) {
    MethodClassKey key = new MethodClassKey(method, type);
    List<MethodLimit> known = limits.get(key);
    if (known == null) {
      known = read(method, type);
      limits.put(key, known);
    }
    return known;
  }

  private List<MethodLimit> read(Method method, Class<?> type) {
    if (method.getDeclaringClass() == Object.class) {
      return List.of();
    }
    Class<?> userType = ClassUtils.getUserClass(type);
    Method specific = AopUtils.getMostSpecificMethod(method, userType);
    Set<RateLimited> found = annotations(specific);
    if (found.isEmpty() && Modifier.isPublic(specific.getModifiers())) {
      found = annotations(userType);
    }
    return found.stream().map(annotation -> limit(annotation, specific, userType)).toList();
  }

  private static Set<RateLimited> annotations(AnnotatedElement element) {
    return AnnotatedElementUtils.findMergedRepeatableAnnotations(
        element, RateLimited.class, RateLimits.class);
  }

  private MethodLimit limit(RateLimited annotation, Method method, Class<?> type) {
    String rule = placeholders.apply(annotation.rule());
    String place =
        "@RateLimited(\"" + rule + "\") on " + type.getName() + "." + method.getName() + "()";
    refuseSuspending(method, place);
    Expression key = annotation.key().isEmpty() ? null : parse("key", annotation.key(), place);
    checkRule(rule, key, place);
    return new MethodLimit(
        rule,
        key,
        parse("permits", annotation.permits(), place),
        FallbackFinder.find(annotation.fallback(), method, type, place),
        place);
  }

  private static void refuseSuspending(Method method, String place) {
    if (KotlinDetector.isSuspendingFunction(method)) {
      throw new InvalidRateLimitedException(
          place + " is on a suspending function, which is not supported",
          "Limit a function that returns a CompletionStage or a Mono.");
    }
  }

  private Expression parse(String attribute, String text, String place) {
    try {
      return parser.parseExpression(text);
    } catch (ParseException unreadable) {
      throw new InvalidRateLimitedException(
          place
              + " has "
              + attribute
              + " = \""
              + text
              + "\", which is no expression: "
              + unreadable.getSimpleMessage(),
          "Write a SpEL expression over the arguments, such as #user.id or #p0.");
    }
  }

  private void checkRule(String name, @Nullable Expression key, String place) {
    RuleSet rule =
        rules
            .get()
            .find(name)
            .orElseThrow(
                () ->
                    new InvalidRateLimitedException(
                        place + " names a rule that does not exist",
                        "Add a rule of that name to weir.rules or to the file of weir.rules-file,"
                            + " or name one of "
                            + rules.get().all().names()
                            + "."));
    Set<String> missing = missing(rule, key);
    if (!missing.isEmpty()) {
      throw new InvalidRateLimitedException(
          place + " gives no " + missing + ", which the limits of the rule look at",
          "Limits for methods have key: "
              + MethodLimit.KEY
              + " (the value of the annotation's key), key: [] (all calls as one), or attributes"
              + " that the annotation's key gives as a map: {tenant: #tenant}.");
    }
  }

  /**
   * The attributes that the limits use and that no call will have. Empty if the key may be a map,
   * because its entries are not known before a call.
   */
  private static Set<String> missing(RuleSet rule, @Nullable Expression key) {
    Set<String> wanted = rule.attributes();
    if (key == null) {
      return wanted;
    }
    boolean mayBeMap = key.getExpressionString().matches("(?s)\\s*\\{.*|.*\\(.*");
    return wanted.contains(MethodLimit.KEY) || mayBeMap ? Set.of() : wanted;
  }
}
