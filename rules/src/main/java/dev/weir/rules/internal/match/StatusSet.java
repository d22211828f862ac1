package dev.weir.rules.internal.match;

import java.util.List;

/**
 * Statuses of HTTP, as a rule file lists them: {@code [401, 500-599]}. Immutable.
 *
 * @param ranges at least one
 */
public record StatusSet(List<Range> ranges) {
  public StatusSet {
    ranges = List.copyOf(ranges);
  }

  /** From one status to another, both included. */
  public record Range(int first, int last) {
    String text() {
      return first == last ? Integer.toString(first) : first + "-" + last;
    }
  }

  boolean contains(int status) {
    return ranges.stream().anyMatch(range -> status >= range.first && status <= range.last);
  }

  /** As in a rules file. */
  public List<String> texts() {
    return ranges.stream().map(Range::text).toList();
  }
}
