/** For authors of stores and integrations: the one atomic question, and its answer. */
@NullMarked
package dev.weir.spi;

import org.jspecify.annotations.NullMarked;
