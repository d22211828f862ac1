package dev.weir.consumers;

import com.marcnuri.helm.Helm;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The chart as Helm renders it.
 *
 * @param text all manifests, as Helm writes them
 */
record RenderedChart(String text) {
  static final Path FOLDER = Path.of("../deploy/helm/weir").toAbsolutePath().normalize();

  /**
   * @param values such as {@code serviceMonitor.enabled}
   */
  static RenderedChart with(Map<String, Object> values) {
    var command = new Helm(FOLDER).template().withName("weir").withNamespace("default");
    values.forEach(command::set);
    return new RenderedChart(command.call());
  }

  List<Map<?, ?>> manifests() {
    Iterable<Object> documents = new Load(LoadSettings.builder().build()).loadAllFromString(text);
    return StreamSupport.stream(documents.spliterator(), false)
        .filter(Map.class::isInstance)
        .<Map<?, ?>>map(document -> (Map<?, ?>) document)
        .toList();
  }

  Map<?, ?> manifest(String kind) {
    return manifests().stream()
        .filter(manifest -> manifest.get("kind").equals(kind))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kind + " in " + text));
  }

  /** Follows names, and numbers for places in lists. */
  static Object at(Object value, String path) {
    Object current = value;
    for (String name : path.split("/")) {
      current =
          current instanceof List<?> list
              ? list.get(Integer.parseInt(name))
              : ((Map<?, ?>) current).get(name);
      if (current == null) {
        throw new AssertionError(path + " has no " + name);
      }
    }
    return current;
  }
}
