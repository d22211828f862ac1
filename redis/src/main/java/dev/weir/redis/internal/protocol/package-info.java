/**
 * The bytes that are sent to scripts and come back: key names, encoded claims, packed state,
 * replies and errors. Nothing here sends anything.
 *
 * <p>Start reading at {@link dev.weir.redis.internal.protocol.ScriptRequest} for what is sent and
 * {@link dev.weir.redis.internal.protocol.ScriptReply} for what comes back; the header of
 * decide.lua describes the same bytes. Only the packages of this module use it.
 */
@NullMarked
package dev.weir.redis.internal.protocol;

import org.jspecify.annotations.NullMarked;
