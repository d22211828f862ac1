/** From that tree to rules, with every fault on the way collected. */
@NullMarked
package dev.weir.rules.internal.read;

import org.jspecify.annotations.NullMarked;
