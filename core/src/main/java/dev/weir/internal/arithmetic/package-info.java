/**
 * The pure arithmetic of the four limits, in integers. Functions are handed the time; none reads a
 * clock. Every store derives its answers from here.
 */
@NullMarked
package dev.weir.internal.arithmetic;

import org.jspecify.annotations.NullMarked;
