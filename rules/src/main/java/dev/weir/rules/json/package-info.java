/** Decisions and explanations as JSON, for the command line and the service alike. */
@NullMarked
package dev.weir.rules.json;

import org.jspecify.annotations.NullMarked;
