/**
 * Options that commands share about requests. {@link dev.weir.cli.request.AddressOptions} says how
 * addresses become keys, as {@code serve} has it.
 */
@NullMarked
package dev.weir.cli.request;

import org.jspecify.annotations.NullMarked;
