/** Spring WebFlux: the web filters in two steps, and the answer to a denied call of a method. */
@NullMarked
package dev.weir.spring.internal.web.webflux;

import org.jspecify.annotations.NullMarked;
