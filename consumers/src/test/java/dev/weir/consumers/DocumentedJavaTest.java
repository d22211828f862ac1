package dev.weir.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every Java example of the README and of docs compiles. Those of docs/guide.md are lines of tested
 * sources, which a test of the examples holds.
 */
final class DocumentedJavaTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final String IMPORTS =
      """
      import dev.weir.*;
      import dev.weir.micrometer.*;
      import dev.weir.redis.*;
      import dev.weir.client.*;
      import dev.weir.rules.*;
      import dev.weir.spi.*;
      import java.net.URI;
      import java.nio.file.Path;
      import java.time.*;
      import java.util.*;
      """;

  /** What examples take for granted. */
  private static final String SURROUNDINGS =
      """
      abstract class Page {
        interface Response { void setStatus(int status); void setHeader(String name, String value); }
        Response response;
        String uri;
        String prompt;
        Path ca;
        Path certificate;
        Path key;
        io.micrometer.core.instrument.MeterRegistry registry;
        LiveRules liveRules;
        LimitStore store;
        RedisStore redis;
        RateLimiter limiter;
        Attributes attributes;
        abstract <T> T callModel(String prompt);
        abstract void page();
      }
      """;

  @TempDir Path classes;

  private record Example(String page, String text) {}

  @Test
  void everyExampleCompiles() {
    List<Example> examples = examples();
    assertThat(examples).hasSizeGreaterThan(15);
    StringBuilder source = new StringBuilder(IMPORTS).append(SURROUNDINGS);
    for (int i = 0; i < examples.size(); i++) {
      source.append(method(i, examples.get(i)));
    }
    assertThat(compile(source.toString())).as(source.toString()).isEmpty();
  }

  private static List<Example> examples() {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs.sorted())
          .filter(page -> page.toString().endsWith(".md") && !page.endsWith("guide.md"))
          .flatMap(
              page ->
                  BLOCK
                      .matcher(text(page))
                      .results()
                      .map(block -> new Example(page.getFileName().toString(), block.group(1))))
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static String method(int number, Example example) {
    String body =
        example
            .text
            .lines()
            .filter(line -> !line.startsWith("import "))
            .collect(Collectors.joining("\n"));
    return "abstract class Example%d extends Page { // %s\nvoid run() throws Exception {\n%s\n}}\n"
        .formatted(number, example.page, body);
  }

  private String compile(String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    compiler
        .getTask(
            messages,
            null,
            null,
            List.of("-proc:none", "-cp", classPath, "-d", classes.toString()),
            null,
            List.of(new SourceText(source)))
        .call();
    return messages.toString();
  }

  private static final class SourceText extends SimpleJavaFileObject {
    private final String text;

    SourceText(String text) {
      super(URI.create("string:///Page.java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreErrors) {
      return text;
    }
  }

  private static String text(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
