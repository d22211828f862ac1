/** YAML as a tree in which every value knows where it was written. */
@NullMarked
package dev.weir.rules.internal.yaml;

import org.jspecify.annotations.NullMarked;
