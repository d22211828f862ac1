package dev.weir.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SpreadTest {
  @Test
  void theMedianOfAnOddNumberIsTheMiddleOneInWhateverOrder() {
    assertThat(Spread.of(List.of(9.0, 1.0, 3.0))).isEqualTo(new Spread(3, 1, 9));
  }

  @Test
  void theMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
    assertThat(Spread.of(List.of(8.0, 1.0, 2.0, 4.0))).isEqualTo(new Spread(3, 1, 8));
  }

  @Test
  void nothingHasNoMedian() {
    assertThatThrownBy(() -> Spread.of(List.of())).hasMessage("values must not be empty");
  }
}
