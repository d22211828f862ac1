package dev.weir.server.dashboard;

import dev.weir.rules.Attributes;
import dev.weir.rules.RuleSet;
import dev.weir.server.service.LimitService.CheckObserver;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The latest requests that were checked, all of them, in a ring of fixed size: what a candidate of
 * new rules is tried on. Safe for many threads.
 *
 * <p>All requests are kept, not a sample: with only some of a client's requests, the client would
 * seem to be far below its limits. So a busy service remembers seconds and a quiet one minutes; the
 * result says how long.
 */
public final class RecentRequests implements CheckObserver {
  static final int KEPT = 5000;
  static final long LONGEST_MILLIS = 10 * 60_000L;
  private static final int MAX_NAMES = 16;
  private static final int LONGEST_VALUE = 128;
  private static final List<String> USUAL_NAMES = List.of("ip", "path", "method", "user");

  private final LongSupplier nowMillis;
  private final AtomicLong count = new AtomicLong();
  private final AtomicReferenceArray<CheckedRequest> ring = new AtomicReferenceArray<>(KEPT);
  private volatile Names names = new Names(RuleSet.empty(), USUAL_NAMES.toArray(String[]::new));

  public RecentRequests(LongSupplier nowMillis) {
    this.nowMillis = nowMillis;
  }

  /** The attributes that are kept for these rules. */
  private record Names(RuleSet rules, String[] names) {
    static Names of(RuleSet rules) {
      Set<String> all = new LinkedHashSet<>(USUAL_NAMES);
      all.addAll(rules.attributes());
      return new Names(rules, all.stream().limit(MAX_NAMES).toArray(String[]::new));
    }
  }

  /** One request; values are in the order of names, null for what it lacks. */
  record CheckedRequest(
      long atMillis, String[] names, @Nullable String[] values, List<String> paths, long permits) {
    Attributes attributes() {
      Map<String, String> present = new HashMap<>();
      for (int i = 0; i < names.length; i++) {
        if (values[i] != null) {
          present.put(names[i], values[i]);
        }
      }
      return Attributes.of(present, paths);
    }
  }

  @Override
  public void checked(RuleSet rules, Attributes attributes, long permits) {
    Names kept = names;
    if (kept.rules != rules) {
      kept = Names.of(rules);
      names = kept;
    }
    @Nullable String[] values = new String[kept.names.length];
    for (int i = 0; i < values.length; i++) {
      String value = attributes.get(kept.names[i]);
      values[i] = value == null || value.length() <= LONGEST_VALUE ? value : cut(value);
    }
    int slot = (int) (count.getAndIncrement() % KEPT);
    ring.lazySet(
        slot,
        new CheckedRequest(
            nowMillis.getAsLong(),
            kept.names,
            values,
            shortPaths(attributes.otherPaths()),
            permits));
  }

  /** Other paths. Hardly any request has them, and a client can make them long. */
  private static List<String> shortPaths(List<String> paths) {
    if (paths.isEmpty()) {
      return paths;
    }
    boolean areShort =
        paths.size() <= MAX_NAMES
            && paths.stream().allMatch(path -> path.length() <= LONGEST_VALUE);
    return areShort ? paths : List.of();
  }

  /** Long values are shortened to bound memory; different ones stay different. */
  private static String cut(String value) {
    return value.substring(0, LONGEST_VALUE) + "#" + Integer.toHexString(value.hashCode());
  }

  /** Whether an attribute is remembered: those that the rules in effect look at, and a few more. */
  boolean remembers(String name) {
    return List.of(names.names).contains(name);
  }

  /** In the order of time. */
  List<CheckedRequest> all() {
    long oldest = nowMillis.getAsLong() - LONGEST_MILLIS;
    List<CheckedRequest> all = new ArrayList<>(KEPT);
    for (int i = 0; i < KEPT; i++) {
      CheckedRequest request = ring.get(i);
      if (request != null && request.atMillis >= oldest) {
        all.add(request);
      }
    }
    all.sort(Comparator.comparingLong(CheckedRequest::atMillis));
    return all;
  }
}
