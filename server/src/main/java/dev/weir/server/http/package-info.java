/** The calls of the service over HTTP, on Vert.x: they translate, and decide nothing. */
@NullMarked
package dev.weir.server.http;

import org.jspecify.annotations.NullMarked;
