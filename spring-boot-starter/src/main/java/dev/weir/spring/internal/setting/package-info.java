/** Settings that are refused at the start. */
@NullMarked
package dev.weir.spring.internal.setting;

import org.jspecify.annotations.NullMarked;
