package dev.weir.cli;

import dev.weir.cli.console.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The command simulate over a rules file and a log in a folder, and what it printed. */
abstract class SimulateFixture {
  @TempDir Path folder;
  Path config;
  Path log;
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  @BeforeEach
  final void nameFiles() {
    config = folder.resolve("weir.yaml");
    log = folder.resolve("access.log");
  }

  final void rules(String... limits) throws IOException {
    Files.writeString(
        config,
        "rules:\n  - name: r\n    limits:\n"
            + List.of(limits).stream()
                .map(limit -> "      - " + limit + "\n")
                .collect(Collectors.joining()));
  }

  /** The time and what remains of each limit. */
  static String remaining(String line) {
    StringBuilder shown = new StringBuilder(line.replaceAll("^\\{\"at\":([\\d.]+),.*", "$1"));
    for (String part : line.split("\"remaining\":")) {
      if (!part.startsWith("{\"at\"")) {
        shown.append(' ').append(part, 0, part.indexOf(','));
      }
    }
    return shown.toString();
  }

  final int decide(String... more) {
    List<String> args = new ArrayList<>(List.of("--decisions", "-"));
    args.addAll(List.of(more));
    return run(args.toArray(String[]::new));
  }

  final int run(String... more) {
    List<String> args = new ArrayList<>(List.of("simulate", "--config", config.toString()));
    args.addAll(List.of(more));
    args.add(log.toString());
    return Weir.run(
        Terminal.PLAIN,
        new PrintWriter(out, true),
        new PrintWriter(err, true),
        args.toArray(String[]::new));
  }
}
