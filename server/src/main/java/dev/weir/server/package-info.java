/** The service: decisions over HTTP. */
@NullMarked
package dev.weir.server;

import org.jspecify.annotations.NullMarked;
