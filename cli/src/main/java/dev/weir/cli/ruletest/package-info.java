/**
 * The command {@code test}: requests at times, and how rules must answer them.
 *
 * <p>Start at {@link dev.weir.cli.ruletest.TestCommand}. {@code TestFileReader} reads the tests
 * with all their faults, {@code RuleTestRunner} runs each over an empty store and a clock of its
 * own, with the code that replays logs; {@code FailureText} and {@code JunitReport} write the
 * results, and {@code StarterTests} writes a first file of tests.
 */
@NullMarked
package dev.weir.cli.ruletest;

import org.jspecify.annotations.NullMarked;
