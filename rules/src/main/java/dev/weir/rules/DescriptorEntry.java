package dev.weir.rules;

import java.util.Objects;

/** One key and value of a descriptor, as a proxy sends it. Immutable. */
public record DescriptorEntry(String key, String value) {
  public DescriptorEntry {
    Objects.requireNonNull(key, "key must not be null");
    Objects.requireNonNull(value, "value must not be null");
  }
}
