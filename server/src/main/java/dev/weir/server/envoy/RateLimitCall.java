package dev.weir.server.envoy;

import dev.weir.rules.DescriptorEntry;
import dev.weir.rules.RateUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request of a proxy to decide about descriptors. Immutable.
 *
 * @param hits what each descriptor without hits of its own costs; 0 means 1
 */
public record RateLimitCall(String domain, long hits, List<Descriptor> descriptors) {
  /** More hits than any limit has; greater numbers count as this one. */
  public static final long MAX_HITS = 1L << 53;

  /** The most descriptors of one call, and the most entries of one descriptor. */
  static final int MAX_DESCRIPTORS = 100;

  public RateLimitCall {
    descriptors = List.copyOf(descriptors);
  }

  /** Whether a descriptor has negative hits. */
  public boolean givesBack() {
    return descriptors.stream().anyMatch(Descriptor::negative);
  }

  /**
   * One descriptor.
   *
   * @param hits its own cost; null if it has none
   * @param negative whether the hits are given back
   * @param limit the limit that takes the place of any rule; null for none
   */
  public record Descriptor(
      List<DescriptorEntry> entries,
      @Nullable Long hits,
      boolean negative,
      @Nullable Override limit) {
    public Descriptor {
      entries = List.copyOf(entries);
    }
  }

  /** A limit that the proxy sends along. */
  public record Override(long requests, RateUnit unit) {}
}
