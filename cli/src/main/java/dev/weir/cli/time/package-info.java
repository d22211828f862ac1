/** {@link dev.weir.cli.time.VirtualTime}: a clock that moves only by hand or by a wait. */
@NullMarked
package dev.weir.cli.time;

import org.jspecify.annotations.NullMarked;
