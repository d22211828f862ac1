/** The commands about rules: validate, check, explain. */
@NullMarked
package dev.weir.cli.rules;

import org.jspecify.annotations.NullMarked;
