package dev.weir.cli.diff;

import dev.weir.cli.simulate.replay.ReplayStatistics;
import dev.weir.internal.text.MessageText;
import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * When a comparison fails: {@code newly-denied > 0.1 %}. Immutable.
 *
 * @param percent whether the bound is a part of all requests of the log
 */
record FailCondition(
    String text, String measure, String operator, BigDecimal bound, boolean percent) {
  static final String CHANGES = "changes";
  private static final List<String> MEASURES =
      List.of("newly-denied", "newly-allowed", "denied", CHANGES);
  private static final Pattern SHAPE =
      Pattern.compile("\\s*([a-z-]+)\\s*(>=|<=|>|<)\\s*(\\d{1,15}(?:\\.\\d{1,9})?)\\s*(%?)\\s*");

  /**
   * @throws IllegalArgumentException naming what is wrong
   */
  static FailCondition parse(String text) {
    Matcher shape = SHAPE.matcher(text);
    if (!shape.matches()) {
      throw new IllegalArgumentException(
          "--fail-if must be such as 'newly-denied > 0.1 %' or 'newly-denied > 10', was "
              + MessageText.shown(text));
    }
    String measure = shape.group(1);
    if (!MEASURES.contains(measure)) {
      throw new IllegalArgumentException(
          "--fail-if must measure one of "
              + String.join(", ", MEASURES)
              + ", was "
              + measure
              + MessageText.didYouMean(measure, MEASURES));
    }
    boolean percent = !shape.group(4).isEmpty();
    if (percent && measure.equals(CHANGES)) {
      throw new IllegalArgumentException("--fail-if must count changes, was " + text);
    }
    return new FailCondition(
        text.strip(), measure, shape.group(2), new BigDecimal(shape.group(3)), percent);
  }

  /** Whether it needs the replay of a log. */
  boolean needsLog() {
    return !measure.equals(CHANGES);
  }

  /**
   * @param statistics null if no log was replayed
   */
  boolean isMet(int changes, @Nullable ReplayStatistics statistics) {
    long count = statistics == null ? changes : count(changes, statistics);
    // count / requests compared with bound / 100, without rounding
    BigDecimal left = BigDecimal.valueOf(count);
    BigDecimal right = bound;
    if (percent && statistics != null) {
      left = left.movePointRight(2);
      right = bound.multiply(BigDecimal.valueOf(statistics.requests()));
    }
    int compared = left.compareTo(right);
    return switch (operator) {
      case ">" -> compared > 0;
      case ">=" -> compared >= 0;
      case "<" -> compared < 0;
      default -> compared <= 0;
    };
  }

  private long count(int changes, ReplayStatistics statistics) {
    return switch (measure) {
      case "newly-denied" -> statistics.nowDenied();
      case "newly-allowed" -> statistics.nowAllowed();
      case "denied" -> statistics.denialsAfter();
      default -> changes;
    };
  }
}
