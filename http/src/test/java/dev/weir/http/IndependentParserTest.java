package dev.weir.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.ExternalPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Others read our fields as we meant them: the npm package {@code structured-headers} under Node.
 * Node must find it: {@code NODE_PATH} names the directory it is installed in.
 */
@Tag("external")
final class IndependentParserTest {
  private static final String PROGRAM =
      """
      const sf = require('structured-headers');
      const lines = require('fs').readFileSync(0, 'latin1').split('\\n').slice(0, -1);
      const again = line => {
        const list = sf.parseList(line);
        for (const [name, parameters] of list) {
          if (typeof name !== 'string') throw new Error(line);
          for (const value of parameters.values()) {
            if (!Number.isInteger(value)) throw new Error(line);
          }
        }
        return sf.serializeList(list) + '\\n';
      };
      process.stdout.write(lines.map(again).join(''));
      """;

  @TempDir Path directory;

  @BeforeEach
  void parserIsInstalled() throws IOException, InterruptedException {
    boolean found;
    try {
      found = run("require('structured-headers')", List.of()).isEmpty();
    } catch (IOException noNode) {
      found = false;
    }
    Optional<Path> parser = found ? Optional.of(directory) : Optional.empty();
    ExternalPrograms.require(parser, "the npm package structured-headers, in NODE_PATH,");
  }

  @Test
  void fieldsComeBackFromAnIndependentParserAsTheyWere() throws IOException, InterruptedException {
    RandomDecisions decisions = new RandomDecisions("IndependentParserTest");
    List<String> values = new ArrayList<>();
    while (values.size() < 20_000) {
      Map<String, String> fields = new TreeMap<>(RateLimitFields.standard().of(decisions.next()));
      fields.keySet().removeIf(name -> !name.startsWith("RateLimit"));
      values.addAll(fields.values());
    }

    assertThat(run(PROGRAM, values)).isEqualTo(values);
  }

  /** What the program prints; the line {@code exit} and its complaint if it fails. */
  private List<String> run(String program, List<String> input)
      throws IOException, InterruptedException {
    Path in = Files.write(directory.resolve("in"), input, US_ASCII);
    Path out = directory.resolve("out");
    Path complaint = directory.resolve("complaint");
    int exit =
        new ProcessBuilder("node", "-e", program)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(complaint.toFile())
            .start()
            .waitFor();
    return exit == 0
        ? Files.readAllLines(out, US_ASCII)
        : List.of("exit " + exit, Files.readString(complaint));
  }
}
