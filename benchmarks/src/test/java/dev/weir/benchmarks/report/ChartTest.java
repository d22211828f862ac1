package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.benchmarks.report.BarChart.Bar;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

final class ChartTest {
  private final String bars =
      new BarChart("Decisions & more", value -> value + " us")
          .group("a < b", List.of(new Bar("Weir", 2, true), new Bar("other", 1, false)))
          .render();

  private final String lines =
      new LineChart("Speed", List.of("1", "8"), String::valueOf)
          .line("Weir", List.of(10.0, 1_000.0))
          .line("level", List.of(10.0, 1_000.0))
          .render();

  @Test
  void chartsAreWellFormed() {
    assertThatCode(() -> parse(bars)).doesNotThrowAnyException();
    assertThatCode(() -> parse(lines)).doesNotThrowAnyException();
  }

  @Test
  void nothingIsFetchedAndDarkIsThoughtOf() {
    assertThat(List.of(bars, lines))
        .allSatisfy(svg -> assertThat(svg).contains("prefers-color-scheme: dark"))
        .allSatisfy(svg -> assertThat(svg).doesNotContain("href", "url(", "@import"));
  }

  @Test
  void theLongestBarFillsItsRoomAndOthersAreInProportion() {
    assertThat(bars).contains("width=\"464.0\"", "width=\"232.0\"");
  }

  @Test
  void barsThatWouldDwarfTheOthersAreCutAndSaySo() {
    String cut =
        new BarChart("Cost", String::valueOf)
            .group("all", List.of(bar(1), bar(2), bar(100)))
            .cutLongBars()
            .render();
    assertThat(cut).contains("width=\"232.0\"", ">100.0 (cut)<").doesNotContain(">2.0 (cut)<");
  }

  private static Bar bar(double value) {
    return new Bar("other", value, false);
  }

  @Test
  void labelsOfLinesThatEndTogetherDoNotOverlap() {
    assertThat(lines).contains("y=\"60.0\" class=\"\">Weir", "y=\"77.0\" class=\"\">level");
  }

  @Test
  void aDescriptionSaysTheNumbers() {
    assertThat(bars).contains("<desc id=\"desc\">a &lt; b: Weir 2.0 us, other 1.0 us.</desc>");
  }

  private static void parse(String svg) throws Exception {
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }
}
