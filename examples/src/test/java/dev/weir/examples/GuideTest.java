package dev.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The snippets of docs/guide.md are lines of sources that are compiled and tested. The comment
 * before a snippet names the file: {@code <!-- from examples/src/…/LoginThrottling.java -->}.
 */
final class GuideTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern BLOCK =
      Pattern.compile("(?:<!-- from (\\S+) -->\n)?```(\\w+)\n(.*?)```", Pattern.DOTALL);
  private static final Pattern ARTIFACT =
      Pattern.compile("<artifactId>(weir-[\\w-]+)</artifactId>");

  /** One block of code. */
  record Snippet(String file, String language, String text) {
    @Override
    public String toString() {
      return file + ": " + text.lines().findFirst().orElse("");
    }
  }

  static Stream<Snippet> snippets() throws IOException {
    List<Snippet> snippets = new ArrayList<>();
    Matcher blocks = BLOCK.matcher(Files.readString(ROOT.resolve("docs/guide.md")));
    while (blocks.find()) {
      snippets.add(new Snippet(blocks.group(1), blocks.group(2), blocks.group(3)));
    }
    return snippets.stream();
  }

  static Stream<Snippet> code() throws IOException {
    return snippets().filter(snippet -> !List.of("xml", "sh", "http").contains(snippet.language));
  }

  @ParameterizedTest
  @MethodSource("code")
  void everySnippetIsPartOfATestedSource(Snippet snippet) throws IOException {
    assertThat(snippet.file).as("the comment before\n%s", snippet.text).isNotNull();
    String source = Files.readString(ROOT.resolve(snippet.file));
    assertThat(withoutIndent(source)).contains(withoutIndent(snippet.text));
  }

  @Test
  void everyDependencyIsInTheBillOfMaterials() throws IOException {
    String bom = Files.readString(ROOT.resolve("bom/pom.xml"));
    List<String> artifacts =
        snippets()
            .flatMap(snippet -> ARTIFACT.matcher(snippet.text).results())
            .map(found -> found.group(1))
            .filter(name -> !name.equals("weir-bom"))
            .toList();
    assertThat(artifacts)
        .isNotEmpty()
        .allMatch(name -> bom.contains("<artifactId>" + name + "</artifactId>"));
  }

  /** Snippets stand further left than in their source; lines keep their order and their words. */
  private static String withoutIndent(String text) {
    return String.join("\n", text.lines().map(String::strip).toList());
  }
}
