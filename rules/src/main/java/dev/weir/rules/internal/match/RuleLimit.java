package dev.weir.rules.internal.match;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.internal.text.MessageText;
import dev.weir.rules.Attributes;
import dev.weir.rules.InvalidAttributeException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One limit of a rule: its key, its allowances, its cost. Immutable.
 *
 * @param key attributes that form the key; none at all means one counter for all requests
 * @param cost attribute that holds the permits of a request; null for none
 * @param by attribute that picks among the tiers; null for none
 * @param tiers allowances by the value of {@code by}
 * @param usual the allowance without a tier; null if the limit then does not apply
 * @param overrides allowances by exact key, before any tier
 * @param blocked the policy to block with when there is no usual one
 * @param responses which responses count; null for all
 */
public record RuleLimit(
    String name,
    List<String> key,
    @Nullable String cost,
    @Nullable String by,
    Map<String, Allowance> tiers,
    @Nullable Allowance usual,
    Map<String, Allowance> overrides,
    Policy blocked,
    @Nullable ResponseRule responses) {

  public RuleLimit {
    key = List.copyOf(key);
    tiers = Map.copyOf(tiers);
    overrides = Map.copyOf(overrides);
  }

  /** Null if the limit does not apply to the request, or sets it no bound. */
  public @Nullable Claim claim(Attributes attributes, long permits) {
    String value = keyOf(attributes);
    Allowance allowance = value == null ? null : allowance(value, attributes);
    return allowance == null
        ? null
        : allowance.claim(
            blockedBy(attributes), value, permits(attributes, asked(allowance, permits)));
  }

  /** However many permits a request costs, it is one request in flight. */
  private static long asked(Allowance allowance, long permits) {
    return allowance instanceof Allowance.LimitedAllowance limited
            && limited.policy().limit().algorithm() == Algorithm.IN_FLIGHT
        ? Math.min(1, permits)
        : permits;
  }

  /** Adds every attribute that this limit looks at. */
  public void addAttributes(Set<String> names) {
    names.addAll(key);
    Stream.of(cost, by).filter(Objects::nonNull).forEach(names::add);
  }

  /** Whether its key, cost or tier is one of these attributes. */
  public boolean looksAt(Set<String> attributes) {
    return Stream.concat(key.stream(), Stream.of(cost, by).filter(Objects::nonNull))
        .anyMatch(attributes::contains);
  }

  /** The same limit in another mode. */
  public RuleLimit withMode(Mode mode) {
    return new RuleLimit(
        name,
        key,
        cost,
        by,
        withMode(tiers, mode),
        usual == null ? null : usual.withMode(mode),
        withMode(overrides, mode),
        blocked.withMode(mode),
        responses);
  }

  private static Map<String, Allowance> withMode(Map<String, Allowance> allowances, Mode mode) {
    return allowances.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().withMode(mode)));
  }

  /** The policies of its tiers, without overrides of single keys. */
  public Stream<Policy> policies() {
    return Stream.concat(Stream.ofNullable(usual), tiers.values().stream())
        .filter(Allowance.LimitedAllowance.class::isInstance)
        .map(allowance -> ((Allowance.LimitedAllowance) allowance).policy())
        .distinct();
  }

  public @Nullable String keyOf(Attributes attributes) {
    return RequestKey.of(key, attributes);
  }

  /** What a key may use; null if its tier is not listed and there is no default. */
  public @Nullable Allowance allowance(String keyValue, Attributes attributes) {
    Allowance override = overrides.get(keyValue);
    return override == null ? tier(attributes) : override;
  }

  private @Nullable Allowance tier(Attributes attributes) {
    String value = by == null ? null : attributes.get(by);
    Allowance tier = value == null ? null : tiers.get(value);
    return tier == null ? usual : tier;
  }

  private Policy blockedBy(Attributes attributes) {
    return tier(attributes) instanceof Allowance.LimitedAllowance limited
        ? limited.policy()
        : blocked;
  }

  /**
   * The permits a request costs here.
   *
   * @throws InvalidAttributeException if the attribute with the cost is not a number: to guess one
   *     would be to let a client choose its own price
   */
  private long permits(Attributes attributes, long asked) {
    String value = cost == null ? null : attributes.get(cost);
    if (value == null) {
      return asked;
    }
    try {
      long permits = Long.parseLong(value);
      if (permits >= 0) {
        return permits;
      }
    } catch (NumberFormatException notANumber) {
      // said below
    }
    throw new InvalidAttributeException(
        "attribute "
            + cost
            + " must be a whole number, 0 or more, was \""
            + MessageText.shown(value)
            + '"');
  }
}
