/**
 * The log reader: from the bytes of a log to requests.
 *
 * <p>Start at {@link dev.weir.cli.simulate.input.LogFileReader}, which yields lines, and {@link
 * dev.weir.cli.simulate.input.LogLineParser}, which makes a {@link
 * dev.weir.cli.simulate.input.LoggedRequest} of each: {@code JsonLineParser} reads JSON lines,
 * {@code AccessLogParser} the access logs of web servers. The replay uses these types, and so do
 * {@code diff}, which replays a log against two sets of rules, and {@code test}.
 */
@NullMarked
package dev.weir.cli.simulate.input;

import org.jspecify.annotations.NullMarked;
