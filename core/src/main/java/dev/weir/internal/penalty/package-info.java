/** Blocks keys that go on asking after they were denied, by means of ordinary limits. */
@NullMarked
package dev.weir.internal.penalty;

import org.jspecify.annotations.NullMarked;
