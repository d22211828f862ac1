/** The store of an application: memory, or Redis through the application's own settings. */
@NullMarked
package dev.weir.spring.internal.store;

import org.jspecify.annotations.NullMarked;
