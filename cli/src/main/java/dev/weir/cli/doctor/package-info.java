/** The command {@code doctor}: findings about the servers of a store, for people. */
@NullMarked
package dev.weir.cli.doctor;

import org.jspecify.annotations.NullMarked;
