package dev.weir.benchmarks.library;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** How the limiters of one library are made. */
public interface Library {
  /** A limiter for a single key, used directly where the library allows it, without a lookup. */
  Gate one(Supply supply);

  /** A limiter for each key; of a library without keys, one object per key in a map. */
  Gate keyed(Supply supply, List<String> keys);

  /** The setting, in words. */
  String setting();

  /** What a user of a library without keys writes. */
  static <L> Map<String, L> map(List<String> keys, Function<String, L> limiter) {
    Map<String, L> byKey = new ConcurrentHashMap<>();
    keys.forEach(key -> byKey.put(key, limiter.apply(key)));
    return byKey;
  }
}
