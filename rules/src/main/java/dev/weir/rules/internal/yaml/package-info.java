/**
 * YAML as a tree in which every value knows where it was written.
 *
 * <p>Start at {@link dev.weir.rules.internal.yaml.YamlReader}. It answers a {@link
 * dev.weir.rules.internal.yaml.YamlNode} and adds what is wrong to a {@link
 * dev.weir.rules.internal.yaml.FaultCollector}. Knows nothing of rules.
 */
@NullMarked
package dev.weir.rules.internal.yaml;

import org.jspecify.annotations.NullMarked;
