package dev.weir.server;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The files for operators, from the root of the project. */
final class DeployFiles {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  static final Path FOLDER = ROOT.resolve("deploy");
  static final Path ALERTS = FOLDER.resolve("prometheus/alerts.yml");
  static final Path DASHBOARD = FOLDER.resolve("grafana/dashboard.json");
  static final Path METRICS = ROOT.resolve("docs/metrics.md");

  private DeployFiles() {}

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Parsed, with maps and lists. */
  static Map<?, ?> yaml(Path file) {
    return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(read(file));
  }

  /** All rules of all groups, those that record too. */
  static List<Map<?, ?>> rules() {
    List<Map<?, ?>> rules = new ArrayList<>();
    for (Object group : (List<?>) yaml(ALERTS).get("groups")) {
      for (Object rule : (List<?>) ((Map<?, ?>) group).get("rules")) {
        rules.add((Map<?, ?>) rule);
      }
    }
    return rules;
  }

  static List<String> alertExpressions() {
    return rules().stream().map(rule -> rule.get("expr").toString()).toList();
  }

  /** With the variables of the dashboard filled in. */
  static List<String> dashboardExpressions() {
    JsonArray panels = new JsonObject(read(DASHBOARD)).getJsonArray("panels");
    return panels.stream()
        .map(JsonObject.class::cast)
        .flatMap(panel -> targets(panel))
        .map(target -> target.getString("expr"))
        .map(expr -> expr.replace("$__rate_interval", "1m"))
        .toList();
  }

  private static Stream<JsonObject> targets(JsonObject panel) {
    return panel.getJsonArray("targets", new JsonArray()).stream().map(JsonObject.class::cast);
  }
}
