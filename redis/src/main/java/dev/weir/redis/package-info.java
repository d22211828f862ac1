/**
 * The store for more than one instance: state in Redis or Valkey, one script call per decision.
 *
 * <p>Users need {@link dev.weir.redis.RedisStore} and nothing else. Its inside is in three packages
 * that are not exported, each of which uses only those after it: {@code internal.script} (script
 * calls and batching), {@code internal.connection} (servers, reconnecting, start checks) and {@code
 * internal.protocol} (what the bytes mean).
 */
@NullMarked
package dev.weir.redis;

import org.jspecify.annotations.NullMarked;
