/** Replays a log against rules, with a clock that follows the log. */
@NullMarked
package dev.weir.cli.simulate;

import org.jspecify.annotations.NullMarked;
