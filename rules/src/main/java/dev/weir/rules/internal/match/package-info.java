/**
 * The rule matcher: from the attributes of a request to the rules and limits that apply.
 *
 * <p>Start at {@link dev.weir.rules.internal.match.RuleIndex}, which finds the rules that match
 * without checking each; {@code RuleLimit} makes a claim, {@code RequestKey} its key, {@code
 * Explainer} says why. Immutable throughout.
 */
@NullMarked
package dev.weir.rules.internal.match;

import org.jspecify.annotations.NullMarked;
