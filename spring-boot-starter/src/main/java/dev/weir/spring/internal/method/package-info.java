/**
 * What {@code @RateLimited} does: reads the annotations, evaluates them, decides, and proceeds or
 * refuses.
 */
@NullMarked
package dev.weir.spring.internal.method;

import org.jspecify.annotations.NullMarked;
