/**
 * The store for more than one instance: state in Redis or Valkey, one script call per decision.
 *
 * <p>Everything public is here. Start with {@link dev.weir.redis.RedisStore}. {@link
 * dev.weir.redis.RedisTls} has certificates for its connections; {@link dev.weir.redis.SharedTexts}
 * are texts that its instances share; {@link dev.weir.redis.RedisAddress} and {@link
 * dev.weir.redis.StoreAddress} check and mask addresses before a store is opened; {@link
 * dev.weir.redis.RedisDiagnosis} examines the servers of an address. The inside is in four packages
 * that are not exported, each of which uses only those after it: {@code internal.diagnosis} (what
 * is wrong with a server), {@code internal.script} (script calls and batching), {@code
 * internal.connection} (servers, reconnecting, start checks) and {@code internal.protocol} (what
 * the bytes mean).
 */
@NullMarked
package dev.weir.redis;

import org.jspecify.annotations.NullMarked;
