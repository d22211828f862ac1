/**
 * Options that several commands have.
 *
 * <p>{@link dev.weir.cli.options.RuleFileOptions} says which rule files are read, {@link
 * dev.weir.cli.options.StoreOptions} where state is kept and which certificates that needs, {@link
 * dev.weir.cli.options.AddressOptions} how the address of a client becomes a key. Any command may
 * mix them in.
 */
@NullMarked
package dev.weir.cli.options;

import org.jspecify.annotations.NullMarked;
