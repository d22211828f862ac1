/**
 * The inside of the memory store: state is found, locked, swept and bounded here.
 *
 * <p>Known to {@link dev.weir.MemoryStore} alone. Start with {@link
 * dev.weir.internal.memory.StateTables}, where one decision is one atomic step, then {@link
 * dev.weir.internal.memory.BoundPolicy}, the fast path for a single limit.
 */
@NullMarked
package dev.weir.internal.memory;

import org.jspecify.annotations.NullMarked;
