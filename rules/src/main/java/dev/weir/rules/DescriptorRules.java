package dev.weir.rules;

import dev.weir.Claim;
import dev.weir.rules.internal.envoy.AttributeDescriptors;
import dev.weir.rules.internal.envoy.DescriptorNode;
import dev.weir.rules.internal.envoy.Domain;
import dev.weir.rules.internal.envoy.DomainListing;
import dev.weir.rules.internal.envoy.RequestedLimit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rules in the format of Envoy's reference service: which limit a descriptor has, by domain.
 * Immutable, and so safe for many threads.
 */
public final class DescriptorRules {
  private final Map<String, Domain> domains = new LinkedHashMap<>();

  DescriptorRules(List<Domain> domains) {
    domains.forEach(domain -> this.domains.put(domain.name(), domain));
  }

  public boolean isEmpty() {
    return domains.isEmpty();
  }

  /** Their names, in the order of the files. */
  public Set<String> domains() {
    return domains.keySet();
  }

  /**
   * The limit of a descriptor: of the rule with as many levels as it has entries. At each level an
   * equal value comes first, then patterns in the order of the file, then the key alone.
   *
   * @return null if nothing limits it
   */
  public @Nullable DescriptorMatch find(String domain, List<DescriptorEntry> entries) {
    Domain found = domains.get(domain);
    return found == null ? null : DescriptorNode.find(found, entries);
  }

  /**
   * A limit that the proxy sends along: it takes the place of any rule. It counts together with the
   * rule of the same unit that it replaces.
   *
   * @param requests 0 lets nothing pass
   * @return null if there is no such domain
   */
  public @Nullable DescriptorMatch override(
      String domain, List<DescriptorEntry> entries, long requests, RateUnit unit) {
    Domain found = domains.get(domain);
    return found == null
        ? null
        : RequestedLimit.match(found, find(domain, entries), entries, requests, unit);
  }

  /**
   * Drops the limits that others of the same request replace, as {@code replaces} says: their
   * places become null. Places without a limit are null, too.
   */
  public static void dropReplaced(List<@Nullable DescriptorMatch> matches) {
    Set<String> replaced = Set.of();
    for (DescriptorMatch match : matches) { // no stream: this runs for every request
      if (match != null && !match.limit().replaces().isEmpty()) {
        replaced = replaced.isEmpty() ? new HashSet<>() : replaced;
        replaced.addAll(match.limit().replaces());
      }
    }
    if (!replaced.isEmpty()) {
      Set<String> names = replaced;
      matches.replaceAll(match -> match != null && isReplaced(match, names) ? null : match);
    }
  }

  private static boolean isReplaced(DescriptorMatch match, Set<String> replaced) {
    return !match.limit().unlimited()
        && match.limit().name().filter(replaced::contains).isPresent();
  }

  /**
   * The claims of a request that is known by attributes: as if a proxy had sent a descriptor for
   * every rule of the domain that is named by attribute {@code domain} and whose keys are all
   * attributes of the request.
   */
  List<Claim> claims(Attributes attributes, long permits) {
    Domain domain = domain(attributes).orElse(null);
    if (domain == null) {
      return List.of();
    }
    List<@Nullable DescriptorMatch> matches =
        new ArrayList<>(AttributeDescriptors.matches(domain, attributes));
    dropReplaced(matches);
    List<Claim> claims = new ArrayList<>();
    for (DescriptorMatch match : matches) {
      if (match != null) {
        claims.addAll(match.claims(permits));
      }
    }
    return claims;
  }

  private Optional<Domain> domain(Attributes attributes) {
    String name = domains.isEmpty() ? null : attributes.get(AttributeDescriptors.DOMAIN);
    return Optional.ofNullable(name).map(domains::get);
  }

  List<Explanation.RuleView> explain(Attributes attributes) {
    return domains.values().stream()
        .map(domain -> AttributeDescriptors.explain(domain, attributes))
        .toList();
  }

  Collection<Domain> all() {
    return domains.values();
  }

  /** Every limit on a line of its own, for administrators. */
  public String toText() {
    return DomainListing.of(domains.values());
  }
}
