package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class MarkdownTableTest {
  @Test
  void numbersAreAlignedRightAndTextLeft() {
    assertThat(MarkdownTable.ofNumbers(List.of("", "ns")).row(List.of("the floor", "31.2")))
        .hasToString(
            """
            |  | ns |
            |---|---:|
            | the floor | 31.2 |
            """);
    assertThat(MarkdownTable.ofText(List.of("", "setting")))
        .hasToString(
            """
            |  | setting |
            |---|---|
            """);
  }

  @Test
  void aRowHasAsManyCellsAsTheHead() {
    MarkdownTable table = MarkdownTable.ofText(List.of("a", "b"));
    assertThatThrownBy(() -> table.row(List.of("1")))
        .hasMessage("cells must be 2 as in the head, was 1");
  }
}
