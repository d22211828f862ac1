/**
 * The documentation as static pages: {@code mvn -B -pl site test} writes them to {@code
 * site/target/site}.
 *
 * <p>Start at {@code DocumentationSite}, which knows the pages and their order. {@code
 * MarkdownPage} is one of them, {@code PageLinks} checks and translates its links, {@code
 * PageTemplate} puts the navigation around it.
 */
@NullMarked
package dev.weir.site;

import org.jspecify.annotations.NullMarked;
