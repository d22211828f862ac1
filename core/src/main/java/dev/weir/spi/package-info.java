/**
 * For authors of stores and integrations: the one atomic question, and its answer.
 *
 * <p>Everything here is public API. Start with {@link dev.weir.spi.LimitStore}; {@code
 * LimitStoreContract} of {@code weir-testkit} is the test every store passes.
 */
@NullMarked
package dev.weir.spi;

import org.jspecify.annotations.NullMarked;
