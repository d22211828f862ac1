package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One word for one thing, in all modules, and each word explained in the glossary. */
final class GlossaryTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "^public (?:final |sealed |non-sealed |abstract )*(?:class|interface|enum|record|@interface) (\\w+)",
          Pattern.MULTILINE);
  private static final Pattern EXPORT = Pattern.compile("^  exports ([\\w.]+);", Pattern.MULTILINE);
  private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

  @Test
  void everyPublicTypeIsInTheGlossary() throws IOException {
    String glossary = glossary();
    assertThat(publicTypes())
        .hasSizeGreaterThan(50)
        .allSatisfy(type -> assertThat(glossary).contains("`" + type + "`"));
  }

  @Test
  void everyWordOfTheLibrarysTypesIsInTheGlossary() throws IOException {
    String glossary = glossary().toLowerCase(Locale.ROOT);
    Set<String> words =
        publicTypes().stream()
            .flatMap(type -> Arrays.stream(type.split("(?<=[a-z0-9])(?=[A-Z])")))
            .map(word -> word.toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    String explained = glossary.replaceAll("`[^`]*`", "");
    assertThat(words).allSatisfy(word -> assertThat(explained).contains(word));
  }

  @Test
  void noSimpleNameStandsTwiceInMainCode() throws IOException {
    Map<String, Long> counts =
        mainSources()
            .map(file -> file.getFileName().toString())
            .filter(name -> !name.endsWith("-info.java"))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    assertThat(counts.entrySet().stream().filter(entry -> entry.getValue() > 1)).isEmpty();
  }

  @Test
  void everyPackageSaysWhatLivesInIt() throws IOException {
    List<Path> packages =
        mainSources()
            .filter(file -> !file.endsWith("module-info.java"))
            .map(Path::getParent)
            .distinct()
            .toList();
    assertThat(packages).allMatch(folder -> Files.exists(folder.resolve("package-info.java")));
  }

  private static Set<String> publicTypes() throws IOException {
    Set<String> exported = exportedPackages();
    return mainSources()
        .map(GlossaryTest::text)
        .filter(text -> exported.contains(first(PACKAGE, text)))
        .map(text -> first(PUBLIC_TYPE, text))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toSet());
  }

  private static Set<String> exportedPackages() throws IOException {
    Stream<String> named =
        mainSources()
            .filter(file -> file.endsWith("module-info.java"))
            .flatMap(file -> EXPORT.matcher(text(file)).results().map(match -> match.group(1)));
    return Stream.concat(named, Stream.of("dev.weir.testkit")).collect(Collectors.toSet());
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  private static String glossary() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/architecture.md"));
    int start = page.indexOf("\n## Glossary");
    return page.substring(start, page.indexOf("\n## ", start + 1));
  }

  private static Stream<Path> mainSources() throws IOException {
    try (Stream<Path> all = Files.walk(ROOT, 15)) {
      return all
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().contains("/src/main/java/"))
          .filter(file -> !file.toString().contains("/consumers/"))
          .filter(file -> !file.toString().contains("/target/"))
          .toList()
          .stream();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(file.toString(), e);
    }
  }
}
