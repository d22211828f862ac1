/**
 * The command {@code diff}: what changed between two sets of rules, and who would notice.
 *
 * <p>Start at {@link dev.weir.cli.diff.DiffCommand}. {@code RuleChanges} compares the rules, {@code
 * FailCondition} reads {@code --fail-if}, and {@code DiffReport} writes the result as text or as
 * Markdown. Logs are replayed by the code of {@code simulate}.
 */
@NullMarked
package dev.weir.cli.diff;

import org.jspecify.annotations.NullMarked;
