/** The rules of an application: from its properties or a file, and by the step they belong to. */
@NullMarked
package dev.weir.spring.internal.rules;

import org.jspecify.annotations.NullMarked;
