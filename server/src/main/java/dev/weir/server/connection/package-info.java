/**
 * Connections from the moment they are accepted: how many there are, which are closed first, and
 * which are read first.
 *
 * <p>Internal to the server. Start reading at {@link
 * dev.weir.server.connection.ConnectionRegistry}; {@code AcceptCountingTransport} is how Netty
 * tells it of a connection before any byte has arrived. {@code ReadTurns} says who is read when.
 */
@NullMarked
package dev.weir.server.connection;

import org.jspecify.annotations.NullMarked;
