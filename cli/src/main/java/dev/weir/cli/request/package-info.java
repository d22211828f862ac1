/**
 * Options that several commands have.
 *
 * <p>{@link dev.weir.cli.request.RuleFileOptions} says which rule files are read, {@link
 * dev.weir.cli.request.StoreOptions} where state is kept and which certificates that needs, {@link
 * dev.weir.cli.request.AddressOptions} how the address of a client becomes a key. Any command may
 * mix them in.
 */
@NullMarked
package dev.weir.cli.request;

import org.jspecify.annotations.NullMarked;
