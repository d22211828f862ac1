package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The description of the calls is complete and holds together; consumers compares the answers. */
final class ApiDescriptionTest {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Path DESCRIPTION =
      Path.of("src/main/resources/dev/weir/server/http/probe/openapi.json");
  private static final Pattern ROUTE =
      Pattern.compile("\\.on\\(\\s*HttpMethod\\.([A-Z]+), (\"[^\"]+\"|PATH)");

  @Test
  void everyCallIsDescribedAndNothingElse() throws IOException {
    Set<String> described = new TreeSet<>();
    JsonObject paths = description().getJsonObject("paths");
    for (String path : paths.fieldNames()) {
      for (String method : paths.getJsonObject(path).fieldNames()) {
        described.add(method.toUpperCase(Locale.ROOT) + " " + path);
      }
    }
    assertThat(described).isEqualTo(routes());
  }

  private static Set<String> routes() throws IOException {
    Set<String> routes = new TreeSet<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        ROUTE
            .matcher(Files.readString(file))
            .results()
            .map(found -> found.group(1) + " " + found.group(2).replace("\"", ""))
            .forEach(routes::add);
      }
    }
    routes.remove("GET PATH");
    routes.add("GET /openapi.json");
    routes.remove("GET /"); // for people
    routes.removeIf(route -> route.contains(" /dashboard/")); // for the page alone
    return routes;
  }

  @Test
  void everyReferenceLeadsSomewhere() throws IOException {
    JsonObject description = description();
    assertThat(references(description)).isNotEmpty().allSatisfy(ref -> find(description, ref));
  }

  private static Set<String> references(Object value) {
    Set<String> found = new TreeSet<>();
    if (value instanceof JsonObject object) {
      if (object.getValue("$ref") instanceof String reference) {
        found.add(reference);
      }
      object.forEach(member -> found.addAll(references(member.getValue())));
    } else if (value instanceof JsonArray array) {
      array.forEach(item -> found.addAll(references(item)));
    }
    return found;
  }

  private static void find(JsonObject description, String reference) {
    assertThat(reference).startsWith("#/");
    JsonObject at = description;
    for (String name : reference.substring(2).split("/")) {
      at = at.getJsonObject(name);
      assertThat(at).as(reference).isNotNull();
    }
  }

  private static JsonObject description() throws IOException {
    return new JsonObject(Files.readString(DESCRIPTION));
  }
}
