/**
 * A Spring Boot application that is protected by a dependency and a few lines of {@code
 * application.yaml}. Start reading there.
 */
@NullMarked
package dev.weir.examples.spring;

import org.jspecify.annotations.NullMarked;
