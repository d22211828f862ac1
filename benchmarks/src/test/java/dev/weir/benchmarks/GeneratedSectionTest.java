package dev.weir.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.Benchmarks.GeneratedSection;
import org.junit.jupiter.api.Test;

final class GeneratedSectionTest {
  private static final String TEXT =
      """
      before
      <!-- one: begin -->
      old
      <!-- one: end -->
      after
      <!-- two: begin -->
      kept
      <!-- two: end -->
      """;

  @Test
  void onlyThePartBetweenItsOwnMarksIsReplaced() {
    assertThat(GeneratedSection.parse(TEXT, "one").with("new\n"))
        .isEqualTo(TEXT.replace("old\n", "\nnew\n\n"));
  }

  @Test
  void aTextWithoutMarksIsRefused() {
    assertThatThrownBy(() -> GeneratedSection.parse("words", "one"))
        .hasMessage("text must hold <!-- one: begin --> and then <!-- one: end -->");
  }
}
