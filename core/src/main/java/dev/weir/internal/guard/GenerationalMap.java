package dev.weir.internal.guard;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A map of bounded size with two generations: when the young generation is full, it becomes the old
 * one, and the previous old one is dropped. Keeps between one and two times {@code maxEntries}.
 * Safe for many threads.
 */
final class GenerationalMap<K, V> {
  private final int maxEntries;
  private volatile ConcurrentHashMap<K, V> young = new ConcurrentHashMap<>();
  private volatile ConcurrentHashMap<K, V> old = new ConcurrentHashMap<>();

  GenerationalMap(int maxEntries) {
    this.maxEntries = maxEntries;
  }

  @Nullable V get(K key) {
    V value = young.get(key);
    return value == null ? old.get(key) : value;
  }

  void put(K key, V value) {
    ConcurrentHashMap<K, V> into = young;
    into.put(key, value);
    if (into.size() > maxEntries) {
      rotateFull(into);
    }
  }

  void remove(K key) {
    young.remove(key);
    old.remove(key);
  }

  /** Removes a value if it is still the value of the key. */
  void remove(K key, V value) {
    young.remove(key, value);
    old.remove(key, value);
  }

  /** Runs the action and removes the value; other threads that drain the key wait meanwhile. */
  void drain(K key, Consumer<V> action) {
    ConcurrentHashMap<K, V> first = young;
    ConcurrentHashMap<K, V> second = old;
    boolean found = drain(first, key, action);
    if (found) {
      second.remove(key); // an older value of the same key
    } else {
      drain(second, key, action);
    }
  }

  private static <K, V> boolean drain(ConcurrentHashMap<K, V> map, K key, Consumer<V> action) {
    boolean[] found = new boolean[1];
    map.computeIfPresent(
        key,
        (k, value) -> {
          action.accept(value);
          found[0] = true;
          return null;
        });
    return found[0];
  }

  boolean isEmpty() {
    return young.isEmpty() && old.isEmpty();
  }

  /** Makes the young generation the old one. */
  synchronized void rotate() {
    old = young;
    young = new ConcurrentHashMap<>();
  }

  private synchronized void rotateFull(ConcurrentHashMap<K, V> full) {
    if (young == full) { // otherwise another thread has rotated
      rotate();
    }
  }
}
