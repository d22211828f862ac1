/**
 * Rule sets: which limits apply to a request. Everything public is here; {@code internal} is not
 * exported.
 *
 * <p>Start at {@link dev.weir.rules.RuleSet}, which reads YAML and turns {@link
 * dev.weir.rules.Attributes} into claims. {@link dev.weir.rules.RuleWatch} and {@link
 * dev.weir.rules.RuleFeed} follow files and other sources and keep {@link dev.weir.rules.LiveRules}
 * up to date.
 */
@NullMarked
package dev.weir.rules;

import org.jspecify.annotations.NullMarked;
