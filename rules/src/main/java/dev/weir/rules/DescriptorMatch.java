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
    List<DescriptorRate> rates = limit.rates();
    return rates.size() == 1
        ? List.of(rates.get(0).claim(key, permits))
        : rates.stream().map(rate -> rate.claim(key, permits)).toList();
  }
}
