/**
 * Rules as their text lists them, for commands that compare rules or name their limits.
 *
 * <p>Start at {@link dev.weir.cli.outline.RuleOutline}. It is read from {@code RuleSet.toYaml}, so
 * it has every key of a rule file without knowing what the key means.
 */
@NullMarked
package dev.weir.cli.outline;

import org.jspecify.annotations.NullMarked;
