/** Weir and its peers side by side over one Redis: how fast, at what cost, and how exact. */
@NullMarked
package dev.weir.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
