/** For tests: a clock moved by hand, and what every store promises. */
@NullMarked
package dev.weir.testkit;

import org.jspecify.annotations.NullMarked;
