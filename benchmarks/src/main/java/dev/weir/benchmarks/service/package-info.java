/** The service over HTTP, next to an empty handler on the same stack. */
@NullMarked
package dev.weir.benchmarks.service;

import org.jspecify.annotations.NullMarked;
