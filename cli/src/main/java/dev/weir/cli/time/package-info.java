/** {@link dev.weir.cli.time.VirtualTime}: a clock that moves only when it is told to. */
@NullMarked
package dev.weir.cli.time;

import org.jspecify.annotations.NullMarked;
