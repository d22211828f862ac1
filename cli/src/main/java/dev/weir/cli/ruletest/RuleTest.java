package dev.weir.cli.ruletest;

import dev.weir.rules.internal.yaml.SourcePosition;
import java.util.List;

/**
 * A named sequence of requests with the answers that are expected.
 *
 * @param startMicros the time of {@code at: 0s}, since 1970
 */
record RuleTest(String name, SourcePosition at, long startMicros, List<TestStep> steps) {}
