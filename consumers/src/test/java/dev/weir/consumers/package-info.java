/**
 * Tests of what is published, from the outside. {@link ConsumerProjectsTest} builds the projects in
 * {@code consumers/projects} and runs them; {@code RunnableJarTest} looks into the runnable jar.
 * Both need the packaged jars, so they run in {@code mvn verify -Pfull}.
 */
@NullMarked
package dev.weir.consumers;

import org.jspecify.annotations.NullMarked;
