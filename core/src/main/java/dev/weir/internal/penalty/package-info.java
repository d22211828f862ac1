/** Blocks keys that go on asking after they were denied, with limits that a store has anyway. */
@NullMarked
package dev.weir.internal.penalty;

import org.jspecify.annotations.NullMarked;
