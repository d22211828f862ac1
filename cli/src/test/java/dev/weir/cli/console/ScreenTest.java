package dev.weir.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ScreenTest {
  private final StringWriter out = new StringWriter();

  @Test
  void aStillScreenPrintsOnlyTheLastStateOfAPicture() {
    draw(false);
    assertThat(out.toString()).isEqualTo("c\nd\n");
  }

  @Test
  void anAnimatedScreenGoesBackUpToDrawOver() {
    draw(true);
    assertThat(out.toString()).contains("a\033[K\nb\033[K\n", "\033[2Ac\033[K\nd\033[K\n");
  }

  @Test
  void theCursorIsHiddenAtFirstAndShownAtLast() {
    draw(true);
    assertThat(out.toString()).startsWith("\033[?25l").endsWith("\033[?25h");
  }

  @Test
  void linesAreNotWrappedWhileDrawingAndAreAfterwards() {
    draw(true);
    assertThat(out.toString().split("\033\\[\\?7l", -1)).hasSize(3);
    assertThat(out.toString().split("\033\\[\\?7h", -1)).hasSize(3);
    assertThat(out.toString().lastIndexOf("\033[?7h"))
        .isGreaterThan(out.toString().lastIndexOf("\033[?7l"));
  }

  private void draw(boolean animated) {
    try (Screen screen = new Screen(new PrintWriter(out), animated)) {
      screen.draw(List.of("a", "b"));
      screen.draw(List.of("c", "d"));
      screen.keep();
    }
  }
}
