/** What Spring Boot finds: the auto-configurations of both gateway servers. */
@NullMarked
package dev.weir.spring.gateway.internal;

import org.jspecify.annotations.NullMarked;
