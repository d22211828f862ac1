package dev.weir.server.envoy;

import dev.weir.Decision;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer to one call. Immutable.
 *
 * @param overLimit whether the proxy is to deny the request
 * @param statuses one per descriptor, in their order
 * @param decision all limits that were asked, for header fields and bodies
 * @param quotaViolations the places of quotas that deny
 */
public record RateLimitAnswer(
    boolean overLimit,
    List<DescriptorStatus> statuses,
    Decision decision,
    List<Integer> quotaViolations) {

  /** The metadata of the limits that allow; of a name that several have, the first one's. */
  public Map<String, Object> metadata() {
    Map<String, Object> all = Map.of();
    for (DescriptorStatus status : statuses) {
      if (!status.overLimit() && status.hasMetadata()) {
        all = all.isEmpty() ? new LinkedHashMap<>() : all;
        status.match().limit().metadata().forEach(all::putIfAbsent);
      }
    }
    return all;
  }
}
