/**
 * From the tree of a rule file to rules, with every fault on the way collected.
 *
 * <p>Start at {@link dev.weir.rules.internal.read.RulesReader}; below it, one reader for each part
 * of the file: {@code RuleReader}, {@code WhenReader}, {@code LimitReader}, {@code
 * OverridesReader}. Rates such as {@code 10 per minute} are read by {@code RateExpression} of core.
 * Used by {@code RuleSet} alone.
 */
@NullMarked
package dev.weir.rules.internal.read;

import org.jspecify.annotations.NullMarked;
