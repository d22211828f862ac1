/**
 * The commands about rules: {@code validate}, {@code check}, {@code explain}, one class each.
 * {@code RequestOptions} holds what the last two share, {@code DecisionText} writes decisions in
 * words.
 */
@NullMarked
package dev.weir.cli.rules;

import org.jspecify.annotations.NullMarked;
