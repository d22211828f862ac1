/**
 * The dashboard over HTTP: the page at {@code /}, its files, and the calls that it makes under
 * {@code /dashboard/}.
 *
 * <p>Internal to the server, which adds them to its router. Start reading at {@link
 * dev.weir.server.http.dashboard.DashboardCalls}.
 */
@NullMarked
package dev.weir.server.http.dashboard;

import org.jspecify.annotations.NullMarked;
