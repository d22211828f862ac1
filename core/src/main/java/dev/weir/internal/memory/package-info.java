/** How records are kept inside one process: found, locked, swept and bounded. */
@NullMarked
package dev.weir.internal.memory;

import org.jspecify.annotations.NullMarked;
