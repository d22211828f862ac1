/**
 * Connections: finding the servers behind an address, checking them at the start, detecting that
 * one was lost, and reconnecting.
 *
 * <p>Start reading at {@link dev.weir.redis.internal.connection.Topology}, which has one
 * implementation for a single server or Sentinels and one for a Cluster; both keep a {@link
 * dev.weir.redis.internal.connection.NodeConnection} to each server, over which the script package
 * sends its calls. This package does not interpret calls.
 */
@NullMarked
package dev.weir.redis.internal.connection;

import org.jspecify.annotations.NullMarked;
