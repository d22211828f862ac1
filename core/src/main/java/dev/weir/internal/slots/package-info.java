/**
 * Keeps the slots of requests in flight that this process holds: one heartbeat for all of them.
 *
 * <p>Start with {@link dev.weir.internal.slots.SlotRenewer}.
 */
@NullMarked
package dev.weir.internal.slots;

import org.jspecify.annotations.NullMarked;
