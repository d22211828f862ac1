package dev.weir.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class MarkedTextTest {
  private static final String MARKS = MarkedText.BEGIN + "\nold\n" + MarkedText.END;

  @Test
  void wordsAroundTheMarksAreKept() {
    assertThat(MarkedText.parse("before\n" + MARKS + "\nafter\n").with("new\n"))
        .isEqualTo("before\n" + MarkedText.BEGIN + "\n\nnew\n\n" + MarkedText.END + "\nafter\n");
  }

  @Test
  void aTextWithoutMarksIsRefused() {
    assertThatThrownBy(() -> MarkedText.parse("words"))
        .hasMessage("text must hold <!-- measured: begin --> and then <!-- measured: end -->");
  }
}
