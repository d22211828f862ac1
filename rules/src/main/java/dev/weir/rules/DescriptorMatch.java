package dev.weir.rules;

import dev.weir.Claim;
import java.util.List;

/**
 * The limit of one descriptor, and what it is counted under. Immutable.
 *
 * @param key no two descriptors share it by the choice of their values, unless the rules say so
 * @param metricPath the limit's path, with the values that metrics are to name
 */
public record DescriptorMatch(DescriptorLimit limit, String key, String metricPath) {
  /** One claim per rate. */
  public List<Claim> claims(long permits) {
    return limit.rates().stream().map(rate -> rate.claim(key, permits)).toList();
  }
}
