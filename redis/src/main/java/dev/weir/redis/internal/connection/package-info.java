/**
 * Connections: finding the servers behind an address, checking them at the start, noticing that one
 * is gone, and connecting again.
 *
 * <p>Start reading at {@link dev.weir.redis.internal.connection.Connector}, the one type the script
 * package works with; {@link dev.weir.redis.internal.connection.Topology} has one implementation
 * for a single server or Sentinels and one for a Cluster. Nothing here knows what a call means.
 */
@NullMarked
package dev.weir.redis.internal.connection;

import org.jspecify.annotations.NullMarked;
