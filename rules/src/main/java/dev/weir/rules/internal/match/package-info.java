/** Rules as they are asked: patterns, the index over them, and the limits they yield. */
@NullMarked
package dev.weir.rules.internal.match;

import org.jspecify.annotations.NullMarked;
