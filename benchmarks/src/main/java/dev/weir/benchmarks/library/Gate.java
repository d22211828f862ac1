package dev.weir.benchmarks.library;

import org.openjdk.jmh.infra.Blackhole;

/** One or many keys of one library under one limit: what is measured. Safe for many threads. */
@FunctionalInterface
public interface Gate {
  boolean tryAcquire(String key);

  /** The measured call: the answer escapes in the form in which the library gives it. */
  default void ask(String key, Blackhole hole) {
    hole.consume(tryAcquire(key));
  }
}
