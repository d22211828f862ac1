/** The command that runs the service. */
@NullMarked
package dev.weir.cli.serve;

import org.jspecify.annotations.NullMarked;
