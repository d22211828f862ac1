/**
 * What the dashboard shows, in bounded memory: history of decisions, traffic of each limit, the
 * busiest keys, recent requests, and what a candidate of new rules would have made of them. Knows
 * no HTTP.
 *
 * <p>Internal to the server. Start reading at {@link dev.weir.server.dashboard.TrafficRecorder}.
 */
@NullMarked
package dev.weir.server.dashboard;

import org.jspecify.annotations.NullMarked;
