/** Connections from the moment they are accepted: how many, and which of them are closed first. */
@NullMarked
package dev.weir.server.connection;

import org.jspecify.annotations.NullMarked;
