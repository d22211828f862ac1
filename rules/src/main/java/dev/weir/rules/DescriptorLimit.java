package dev.weir.rules;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What a descriptor may use, in the terms of Envoy's reference service. Immutable.
 *
 * @param path its keys, and the values that the rules name: {@code key_value.subkey}
 * @param name by which other limits replace it
 * @param replaces names of limits that do not count if this one applies
 * @param rates all of them hold; none if it is unlimited
 * @param shadow whether it counts and never refuses
 * @param quota whether it refuses only together with all other quotas of a request
 * @param countOverLimit whether refused requests count, too
 * @param detailedMetric whether metrics name the values that the rules leave open
 * @param metadata what is sent to the proxy if it allows: texts, numbers, booleans, lists, maps
 */
public record DescriptorLimit(
    String path,
    Optional<String> name,
    Set<String> replaces,
    List<DescriptorRate> rates,
    boolean shadow,
    boolean quota,
    boolean countOverLimit,
    boolean detailedMetric,
    Map<String, Object> metadata) {

  public DescriptorLimit {
    Objects.requireNonNull(path, "path must not be null");
    replaces = Set.copyOf(replaces);
    rates = List.copyOf(rates);
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
  }

  public boolean unlimited() {
    return rates.isEmpty();
  }
}
