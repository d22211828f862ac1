/**
 * The frame of all calls over HTTP, on Vert.x: routing, bodies, problems, and the bounds on
 * connections, bodies and requests under way. It knows no call; those live in {@code decision},
 * {@code admin}, {@code dashboard}, {@code envoy} and {@code probe}.
 *
 * <p>Internal to the server. Start reading at {@link dev.weir.server.http.Router}, then {@link
 * dev.weir.server.http.StoreCallRunner}.
 */
@NullMarked
package dev.weir.server.http;

import org.jspecify.annotations.NullMarked;
