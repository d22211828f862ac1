/**
 * What Spring Boot finds at the start: auto-configurations, properties, explanations of failures.
 */
@NullMarked
package dev.weir.spring.internal.start;

import org.jspecify.annotations.NullMarked;
