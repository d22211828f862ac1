/**
 * Connections from the moment they are accepted: how many there are, and which are closed first.
 *
 * <p>Internal to the server. Start reading at {@link
 * dev.weir.server.connection.ConnectionRegistry}; {@code AcceptCountingTransport} is how Netty
 * tells it of a connection before any byte has arrived.
 */
@NullMarked
package dev.weir.server.connection;

import org.jspecify.annotations.NullMarked;
