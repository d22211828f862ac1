/**
 * What all of core shares: argument checks, merging of claims and grants, bounded keys, names of
 * remembered answers, failures of stages, the system clock.
 *
 * <p>Exported to our own modules alone. Start with {@link dev.weir.internal.Check}. The packages
 * beside it: {@code arithmetic} (the limits), {@code memory} (the memory store), {@code guard} (the
 * guards around a remote store), {@code penalty} (blocks of keys that go on asking), {@code slots}
 * (renewal of slots of requests in flight), {@code schedule} (threads) and {@code text}.
 */
@NullMarked
package dev.weir.internal;

import org.jspecify.annotations.NullMarked;
