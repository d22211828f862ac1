package dev.weir.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The programs in docs/clients.md, run as they stand there. */
@Tag("slow") // needs the packaged jar
@Timeout(180)
final class ClientSnippetsTest {
  private static final Path PAGE = Path.of("../docs/clients.md");
  private static final String RULES =
      """
      rules:
        - name: api
          when: {path: /api/**}
          limits:
            - {name: user, key: user, limit: 1 per 400d, algorithm: fixed-window}
      """;

  @TempDir static Path folder;
  private static RunningService service;

  /** With the command that runs a file. */
  enum Language {
    PYTHON("python3"),
    JAVASCRIPT("node"),
    GO("go", "run"),
    PHP("php");

    final List<String> command;

    Language(String... command) {
      this.command = List.of(command);
    }

    String fence() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }

    String suffix() {
      return switch (this) {
        case PYTHON -> ".py";
        case JAVASCRIPT -> ".js";
        case GO -> ".go";
        case PHP -> ".php";
      };
    }
  }

  @BeforeAll
  static void start() throws IOException {
    service = RunningService.start(folder, RULES);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  /** The deadline is made longer: a busy machine takes longer than 200 ms to start a program. */
  @ParameterizedTest
  @EnumSource
  void theSecondRequestOfAUserIsDenied(Language language) throws Exception {
    assumeTrue(isInstalled(language.command.get(0)), language.command.get(0) + " is not installed");
    String program =
        snippet(language)
            .replace("timeout=0.2", "timeout=20")
            .replace("timeout(200)", "timeout(20000)")
            .replace("200 * time.Millisecond", "20 * time.Second")
            .replace("TIMEOUT_MS => 200", "TIMEOUT_MS => 20000");
    Path file = Files.writeString(folder.resolve("ask" + language.suffix()), program);
    assertThat(run(language, file)).isEqualTo("allowed\n");
    assertThat(run(language, file)).isEqualTo("denied\n");
  }

  private static String run(Language language, Path file) throws Exception {
    Stream<String> command =
        Stream.of(
                Stream.of("env", "WEIR_URL=" + service.url()),
                language.command.stream(),
                Stream.of(file.toString(), "user-of-" + language.fence()))
            .flatMap(words -> words);
    return new Run(command.toArray(String[]::new)).in(folder).output();
  }

  private static String snippet(Language language) throws IOException {
    Matcher found =
        Pattern.compile("(?s)```" + language.fence() + "\n(.*?)```")
            .matcher(Files.readString(PAGE));
    assertThat(found.find()).as(language.fence()).isTrue();
    return found.group(1);
  }

  private static boolean isInstalled(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
