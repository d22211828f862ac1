/** The demonstration: every number it shows is a decision of the library or a count of them. */
@NullMarked
package dev.weir.cli.demo;

import org.jspecify.annotations.NullMarked;
