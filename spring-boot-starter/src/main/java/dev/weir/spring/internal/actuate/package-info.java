/** What Actuator shows and resets: endpoint and health. */
@NullMarked
package dev.weir.spring.internal.actuate;

import org.jspecify.annotations.NullMarked;
