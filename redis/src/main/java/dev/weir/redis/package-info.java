/** The store for more than one instance: state in Redis or Valkey, one script call per decision. */
@NullMarked
package dev.weir.redis;

import org.jspecify.annotations.NullMarked;
