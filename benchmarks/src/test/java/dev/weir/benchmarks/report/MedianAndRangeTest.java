package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class MedianAndRangeTest {
  @Test
  void theMedianOfAnOddNumberIsTheMiddleOneInWhateverOrder() {
    assertThat(MedianAndRange.of(List.of(9.0, 1.0, 3.0))).isEqualTo(new MedianAndRange(3, 1, 9));
  }

  @Test
  void theMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
    assertThat(MedianAndRange.of(List.of(8.0, 1.0, 2.0, 4.0)))
        .isEqualTo(new MedianAndRange(3, 1, 8));
  }

  @Test
  void nothingHasNoMedian() {
    assertThatThrownBy(() -> MedianAndRange.of(List.of())).hasMessage("values must not be empty");
  }
}
