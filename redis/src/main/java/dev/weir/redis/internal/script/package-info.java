/**
 * Script calls: the Lua scripts, EVALSHA and reloading, batching of questions that wait, and
 * questions whose keys live in several hash slots of a Cluster. The scripts stand in the resources
 * of this package; decide.lua is the frame that includes one fragment per algorithm.
 *
 * <p>Start reading at {@link dev.weir.redis.internal.script.ScriptExecutor}, through which {@code
 * RedisStore} makes every call.
 */
@NullMarked
package dev.weir.redis.internal.script;

import org.jspecify.annotations.NullMarked;
