/** The auto-configuration for both gateway servers, and the checks of routes at the start. */
@NullMarked
package dev.weir.spring.gateway.internal;

import org.jspecify.annotations.NullMarked;
