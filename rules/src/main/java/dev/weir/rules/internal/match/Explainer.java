package dev.weir.rules.internal.match;

import dev.weir.Lease;
import dev.weir.Limit;
import dev.weir.Penalty;
import dev.weir.Policy;
import dev.weir.internal.text.HumanDuration;
import dev.weir.internal.text.MessageText;
import dev.weir.rules.Attributes;
import dev.weir.rules.Explanation.LimitView;
import dev.weir.rules.Explanation.RuleView;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Explains which rules match and why, with the same conditions and allowances that decide. */
public final class Explainer {
  private Explainer() {}

  public static List<RuleView> explain(List<Rule> rules, Attributes attributes) {
    return rules.stream().map(rule -> explain(rule, attributes)).toList();
  }

  private static RuleView explain(Rule rule, Attributes attributes) {
    List<String> fits = new ArrayList<>();
    for (Condition condition : rule.conditions()) {
      if (!condition.fits(attributes)) {
        return new RuleView(rule.name(), false, misfit(condition, attributes), List.of());
      }
      fits.add(fit(condition, attributes));
    }
    String reason = fits.isEmpty() ? "it is for every request" : String.join(", ", fits);
    List<LimitView> limits =
        rule.limits().stream().map(limit -> explain(limit, attributes)).toList();
    return new RuleView(rule.name(), true, reason, limits);
  }

  private static String misfit(Condition condition, Attributes attributes) {
    String value = attributes.get(condition.attribute());
    String found = value == null ? "the request has none" : "was " + MessageText.shown(value);
    return condition.attribute() + " must be " + condition.text() + ", " + found;
  }

  private static String fit(Condition condition, Attributes attributes) {
    String value = String.valueOf(attributes.get(condition.attribute()));
    TextPattern pattern = condition.matching(value);
    String by = pattern == null || pattern.isExact() ? "" : " fits " + pattern.text();
    return condition.attribute() + " " + MessageText.shown(value) + by;
  }

  private static LimitView explain(RuleLimit limit, Attributes attributes) {
    String key = limit.keyOf(attributes);
    if (key == null) {
      String missing =
          limit.key().stream()
              .filter(name -> attributes.get(name) == null)
              .collect(Collectors.joining(", "));
      return new LimitView(limit.name(), false, "the request has no " + missing, null);
    }
    Allowance allowance = limit.allowance(key, attributes);
    if (allowance == null) {
      String value = attributes.get(String.valueOf(limit.by()));
      String found = value == null ? "the request has none" : "was " + MessageText.shown(value);
      return new LimitView(
          limit.name(), false, "no limit for " + limit.by() + " and no default, " + found, key);
    }
    boolean applies = !(allowance instanceof Allowance.Unlimited);
    return new LimitView(
        limit.name(),
        applies,
        allowance.text()
            + origin(limit, key, attributes)
            + hotKeys(allowance)
            + shares(allowance)
            + conditions(limit, allowance),
        key);
  }

  /** What is done for hot keys: {@code , leased for 1s} or {@code , split into 8 parts}. */
  private static String hotKeys(Allowance allowance) {
    if (!(allowance instanceof Allowance.LimitedAllowance limited)) {
      return "";
    }
    Policy policy = limited.policy();
    String lease = policy.lease().map(Explainer::lease).orElse("");
    return policy.split() > 1 ? ", split into " + policy.split() + " parts" : lease;
  }

  private static String lease(Lease lease) {
    return ", leased for "
        + HumanDuration.of(lease.period())
        + (lease.onlyHotKeys() ? " if the key is hot" : "");
  }

  /** What it warns at, and what one request can take of it. */
  private static String shares(Allowance allowance) {
    if (!(allowance instanceof Allowance.LimitedAllowance limited)) {
      return "";
    }
    Policy policy = limited.policy();
    OptionalLong warnAt =
        policy.limit() instanceof Limit.FixedWindow window
            ? window.warnAtPermits()
            : OptionalLong.empty();
    return (warnAt.isPresent() ? ", warns at " + warnAt.getAsLong() : "")
        + (policy.reserveAtMostPercent().isPresent()
            ? ", at most " + policy.mostPerRequest() + " for one request"
            : "");
  }

  /** Which responses count, and what happens to keys that go on asking. */
  private static String conditions(RuleLimit limit, Allowance allowance) {
    if (allowance instanceof Allowance.Unlimited) {
      return "";
    }
    String responses = limit.responses() == null ? "" : limit.responses().text();
    boolean counts = allowance instanceof Allowance.LimitedAllowance;
    return responses
        + limit.blocked().penalty().filter(penalty -> counts).map(Explainer::text).orElse("");
  }

  private static String text(Penalty penalty) {
    return "; after " + penalty.afterText() + " blocked for " + HumanDuration.of(penalty.block());
  }

  private static String origin(RuleLimit limit, String key, Attributes attributes) {
    if (limit.overrides().containsKey(key)) {
      return ", an override for this key";
    }
    if (limit.by() == null) {
      return "";
    }
    String value = attributes.get(limit.by());
    return value != null && limit.tiers().containsKey(value)
        ? ", for " + limit.by() + " " + MessageText.shown(value)
        : ", the default for " + limit.by();
  }
}
