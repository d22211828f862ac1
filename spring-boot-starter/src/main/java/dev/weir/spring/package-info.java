/** Rate limits for Spring Boot applications. */
@NullMarked
package dev.weir.spring;

import org.jspecify.annotations.NullMarked;
