/**
 * The commands about rules: {@code validate}, {@code check}, {@code explain}, one class each.
 *
 * <p>Start at {@link dev.weir.cli.rules.CheckCommand}. {@code RequestOptions} holds what it shares
 * with {@code explain}, {@code DecisionText} writes decisions in words, {@code FaultText} the
 * faults of rules, for all commands, and {@code ExplanationText} says why rules decided as they
 * did, also to {@code test}.
 */
@NullMarked
package dev.weir.cli.rules;

import org.jspecify.annotations.NullMarked;
