package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a reader of the sources may rely on, in all modules. */
final class TidyTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final int LONGEST_FILE = 400;

  @Test
  void noSourceFileIsLong() throws IOException {
    assertThat(sources(".java", ".lua").filter(file -> lines(file).size() > LONGEST_FILE))
        .isEmpty();
  }

  @Test
  void noTestSleeps() throws IOException {
    Pattern sleep =
        Pattern.compile("Thread" + "\\.sleep\\(|pollDelay\\([^;]*\\(\\)\\s*->\\s*true\\b");
    assertThat(sources(".java").filter(file -> file.toString().contains("src/test")))
        .noneMatch(file -> sleep.matcher(text(file)).find());
  }

  @Test
  void nothingIsLeftToDoAndNoTestIsSwitchedOff() throws IOException {
    Pattern left = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b|@Dis" + "abled\\b");
    assertThat(sources(".java", ".lua")).noneMatch(file -> left.matcher(text(file)).find());
  }

  @Test
  void namesSayWhatSetsAThingApart() throws IOException {
    Pattern vague = Pattern.compile(".*(Impl|Manager|Utils?|Helper)\\.java");
    assertThat(sources(".java")).noneMatch(file -> vague.matcher(file.toString()).matches());
  }

  @Test
  void scriptsAreAsciiAndOpenWithTheirName() throws IOException {
    assertThat(sources(".lua"))
        .isNotEmpty()
        .allMatch(file -> text(file).chars().allMatch(c -> c < 128))
        .allMatch(file -> text(file).startsWith("-- " + file.getFileName() + ": "));
  }

  private static Stream<Path> sources(String... endings) throws IOException {
    try (Stream<Path> all = Files.walk(ROOT)) {
      return all
          .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
          .filter(file -> file.toString().contains("/src/"))
          .toList()
          .stream();
    }
  }

  private static List<String> lines(Path file) {
    return text(file).lines().toList();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(file.toString(), e);
    }
  }
}
