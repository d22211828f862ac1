/**
 * The calls that other machines poll: metrics, health and readiness; and the overview of all calls
 * at {@code /}.
 *
 * <p>Internal to the server, which adds them to its router. Start reading at {@link
 * dev.weir.server.http.probe.ProbeCalls}.
 */
@NullMarked
package dev.weir.server.http.probe;

import org.jspecify.annotations.NullMarked;
