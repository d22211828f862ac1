package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** What users read of modules without a module descriptor. */
  private static final String[] UNNAMED_MODULES = {
    "dev.weir.testkit", "dev.weir.spring", "dev.weir.spring.gateway"
  };

  private static final String MODIFIERS =
      "(?:(?:public|protected|private|static|final|sealed|non-sealed|abstract|default|synchronized) )*";
  private static final Pattern TYPE =
      Pattern.compile(
          "^ *(" + MODIFIERS + ")(class|interface|enum|record|@interface) (\\w+)\\b",
          Pattern.MULTILINE);
  private static final Pattern METHOD =
      Pattern.compile(
          "^ {2,4}(" + MODIFIERS + ")(?:<[^>]+> )?([\\w.@][\\w.@<>\\[\\], ?]*) (\\w+)\\(",
          Pattern.MULTILINE);
  private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z0-9]+");

  /** Modules whose methods users call or implement. */
  private static final Set<String> API =
      Set.of("dev.weir", "dev.weir.spi", "dev.weir.redis", "dev.weir.rules", "dev.weir.http");

  /** Words of Java and of plain English, which mean in the API what they mean everywhere. */
  private static final Set<String> PLAIN_WORDS =
      Set.of(
          ("accepts all and around as at build builder bytes check close concerns connect connection"
                  + " create each empty end ended equals failed fill from get has hash in is ipv6 known"
                  + " length list load longest lost max message micros name names of on open opened"
                  + " or other parse put read readable replace same seconds set stack start started"
                  + " status string system to trace types up value values with without")
              .split(" "));

  /**
   * Each is one idea wherever it stands: a builder; a call, of a script and of the service; what
   * Spring Cloud Gateway calls a route's settings of a filter.
   */
  private static final Set<String> MAY_REPEAT = Set.of("Builder", "Call", "Config");

  private static final Pattern EXPORT = Pattern.compile("^  exports ([\\w.]+);", Pattern.MULTILINE);
  private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

  @Test
  void everyPublicTypeIsInTheGlossary() throws IOException {
    String glossary = glossary();
    assertThat(publicTypes())
        .hasSizeGreaterThan(60)
        .contains("SlidingLog", "Grant", "LimitStore")
        .allSatisfy(type -> assertThat(glossary).contains("`" + type + "`"));
  }

  @Test
  void everyWordOfTheLibrarysTypesIsInTheGlossary() throws IOException {
    String explained = explanations();
    assertThat(words(publicTypes())).allSatisfy(word -> assertThat(explained).contains(word));
  }

  @Test
  void everyWordOfTheApisMethodsIsInTheGlossary() throws IOException {
    String explained = explanations();
    Set<String> methods = sourcesOf(API).flatMap(GlossaryTest::methods).collect(Collectors.toSet());
    assertThat(methods).hasSizeGreaterThan(100).contains("tryAcquire", "fastPath", "denyCache");
    Set<String> words = words(methods);
    PLAIN_WORDS.forEach(word -> words.remove(singular(word)));
    assertThat(words).allSatisfy(word -> assertThat(explained).contains(word));
  }

  /** Nested types count: in an error or in a review they are named without their outer type. */
  @Test
  void noSimpleNameStandsTwiceInMainCode() throws IOException {
    Map<String, Long> counts =
        mainSources()
            .map(GlossaryTest::text)
            .flatMap(text -> TYPE.matcher(text).results().map(type -> type.group(3)))
            .filter(name -> !MAY_REPEAT.contains(name))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    assertThat(counts).hasSizeGreaterThan(400);
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
    return sourcesOf(exportedPackages())
        .flatMap(GlossaryTest::types)
        .filter(name -> !MAY_REPEAT.contains(name))
        .collect(Collectors.toSet());
  }

  /** The public types of a file, nested ones too; none if the file's own type is not public. */
  private static Stream<String> types(String text) {
    boolean isInterface = isInterface(text);
    return TYPE.matcher(text)
        .results()
        .filter(type -> isVisible(type.group(1), isInterface))
        .map(type -> type.group(3));
  }

  private static Stream<String> methods(String text) {
    boolean isInterface = isInterface(text);
    return METHOD
        .matcher(text)
        .results()
        .filter(method -> isVisible(method.group(1), isInterface))
        .filter(method -> !method.group(2).matches("(?:return|throw|new|else|record)\\b.*"))
        .map(method -> method.group(3));
  }

  private static boolean isInterface(String text) {
    Matcher first = TYPE.matcher(text);
    return first.find() && first.group(2).equals("interface");
  }

  private static boolean isVisible(String modifiers, boolean inInterface) {
    return modifiers.contains("public")
        || modifiers.contains("protected")
        || inInterface && !modifiers.contains("private");
  }

  private static Set<String> words(Set<String> names) {
    return names.stream()
        .flatMap(name -> WORD.matcher(name).results())
        .map(word -> singular(word.group().toLowerCase(Locale.ROOT)))
        .collect(Collectors.toSet());
  }

  private static String singular(String word) {
    return word.length() > 3 && word.endsWith("s") ? word.substring(0, word.length() - 1) : word;
  }

  /** The files of these packages whose own type is public. */
  private static Stream<String> sourcesOf(Set<String> packages) throws IOException {
    return mainSources()
        .map(GlossaryTest::text)
        .filter(text -> packages.contains(first(PACKAGE, text)))
        .filter(text -> text.contains("\npublic "));
  }

  private static Set<String> exportedPackages() throws IOException {
    Stream<String> named =
        mainSources()
            .filter(file -> file.endsWith("module-info.java"))
            .flatMap(file -> EXPORT.matcher(text(file)).results().map(match -> match.group(1)));
    return Stream.concat(named, Stream.of(UNNAMED_MODULES)).collect(Collectors.toSet());
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

  /** What the glossary says in words: its names of code are left out. */
  private static String explanations() throws IOException {
    return glossary().toLowerCase(Locale.ROOT).replaceAll("`[^`]*`", "");
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
