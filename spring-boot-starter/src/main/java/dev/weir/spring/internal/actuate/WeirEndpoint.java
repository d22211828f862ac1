package dev.weir.spring.internal.actuate;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.RateLimiter;
import dev.weir.http.AmbiguousPathException;
import dev.weir.http.ClientAddress;
import dev.weir.http.RequestAttributes;
import dev.weir.rules.Attributes;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RuleStatus;
import dev.weir.spring.internal.rules.RulesByName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The rules in effect, the state of a key, and resetting it.
 *
 * <pre>
 * GET    /actuator/weir
 * GET    /actuator/weir/login?attributes=ip=192.0.2.1
 * DELETE /actuator/weir/login?attributes=ip=192.0.2.1
 * </pre>
 *
 * <p>Resetting needs {@code management.endpoint.weir.access=unrestricted}.
 */
@Endpoint(id = "weir", defaultAccess = Access.READ_ONLY)
public final class WeirEndpoint {
  private final RulesByName rules;
  private final RateLimiter limiter;
  private final ClientAddress addresses;
  private final RuleStatus status;
  private final String storeName;

  /**
   * @param addresses how the addresses of clients are shortened when they are keys
   * @param storeName for people, without a password
   */
  public WeirEndpoint(
      RulesByName rules,
      RateLimiter limiter,
      ClientAddress addresses,
      RuleStatus status,
      String storeName) {
    this.rules = rules;
    this.limiter = limiter;
    this.addresses = addresses;
    this.status = status;
    this.storeName = storeName;
  }

  /** The rules in effect, as in a rules file, and where they and the state come from. */
  @ReadOperation
  public Map<String, Object> rules() {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("store", storeName);
    shown.put("source", status.inEffect().source());
    shown.put("version", status.inEffect().version());
    shown.put("hash", status.inEffect().hash());
    shown.put("rules", ruleTree(rules.all()));
    return shown;
  }

  private static Object ruleTree(RuleSet rules) {
    if (rules.names().isEmpty()) {
      return List.of();
    }
    Object tree = new Load(LoadSettings.builder().build()).loadFromString(rules.toYaml());
    return tree instanceof Map<?, ?> top && top.get("rules") instanceof List<?> list
        ? list
        : List.of();
  }

  /**
   * What is left of the limits of a rule for a key; takes nothing. Null, and so 404, if there is no
   * such rule.
   *
   * @param attributes that the limits look at: {@code ip=192.0.2.1}; one for methods: {@code
   *     key=42}
   */
  @ReadOperation
  public @Nullable Map<String, Object> state(
      @Selector String rule, @Nullable List<String> attributes) {
    List<Claim> claims = claims(rule, attributes);
    return claims == null ? null : Map.of("rule", rule, "limits", states(claims));
  }

  private List<Map<String, Object>> states(List<Claim> claims) {
    Decision decision = limiter.peek(claims);
    return decision.outcomes().stream().map(WeirEndpoint::state).toList();
  }

  private static Map<String, Object> state(Outcome outcome) {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("name", outcome.policy().name());
    state.put("key", outcome.claim().key());
    state.put("limit", outcome.policy().limit().permits());
    state.put("period", outcome.policy().limit().period().toString());
    state.put("blocked", outcome.claim().isBlocked());
    state.put("known", outcome.stateKnown());
    if (outcome.stateKnown() && !outcome.claim().isBlocked()) {
      state.put("remaining", outcome.remaining());
      state.put("resetAfter", outcome.resetAfter().toString());
    }
    return state;
  }

  /** Forgets what a key has used of the limits of a rule. Null, and so 404, if there is none. */
  @DeleteOperation
  public @Nullable Map<String, Object> reset(
      @Selector String rule, @Nullable List<String> attributes) {
    List<Claim> claims = claims(rule, attributes);
    if (claims == null) {
      return null;
    }
    if (!claims.isEmpty()) {
      limiter.reset(claims);
    }
    List<String> names = claims.stream().map(claim -> claim.policy().name()).toList();
    return Map.of("rule", rule, "reset", names);
  }

  private @Nullable List<Claim> claims(String rule, @Nullable List<String> attributes) {
    Attributes given = attributes(AttributeTexts.parse(attributes));
    return rules.find(rule).map(found -> found.claims(given, 1)).orElse(null);
  }

  /** Normalised as for a request, so that the key is the one that requests are counted under. */
  private Attributes attributes(Map<String, String> given) {
    try {
      RequestAttributes read = RequestAttributes.read(given, addresses);
      return Attributes.of(read.values(), read.otherPaths());
    } catch (AmbiguousPathException refused) {
      throw new InvalidEndpointRequestException(refused.getMessage(), refused.getMessage());
    }
  }
}
