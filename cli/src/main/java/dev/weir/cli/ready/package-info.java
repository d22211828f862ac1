/**
 * The command {@code ready}: whether a running service wants requests, for probes of containers.
 */
@NullMarked
package dev.weir.cli.ready;

import org.jspecify.annotations.NullMarked;
