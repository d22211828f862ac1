/** Filters and answers of Spring MVC and WebFlux. */
@NullMarked
package dev.weir.spring.internal.web;

import org.jspecify.annotations.NullMarked;
