package dev.weir.consumers;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** One library of others inside the runnable jar, as the bill of materials names it. */
record BundledArtifact(String group, String name, String version) {
  static List<BundledArtifact> readFrom(String billOfMaterials) {
    return new JsonObject(billOfMaterials)
        .getJsonArray("components").stream()
            .map(JsonObject.class::cast)
            .map(
                component ->
                    new BundledArtifact(
                        component.getString("group"),
                        component.getString("name"),
                        component.getString("version")))
            .toList();
  }

  boolean isOwn() {
    return group.equals("dev.weir");
  }

  /** Its name without the version: {@code group:name}. */
  String coordinates() {
    return group + ":" + name;
  }

  private Path jar() {
    return isOwn()
        ? Path.of("..", name.replace("weir-", ""), "target", name + "-" + version + ".jar")
        : Path.of(System.getProperty("maven.repository"))
            .resolve(group.replace('.', '/'))
            .resolve(Path.of(name, version, name + "-" + version + ".jar"));
  }

  Set<String> classes() throws IOException {
    return classes(jar());
  }

  static Set<String> classes(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.endsWith(".class") && !name.endsWith("module-info.class"))
          .collect(Collectors.toSet());
    }
  }

  Optional<String> notice() throws IOException {
    return text(jar(), "META-INF/NOTICE");
  }

  static Optional<String> text(Path jar, String name) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      ZipEntry entry = zip.getEntry(name);
      return entry == null
          ? Optional.empty()
          : Optional.of(
              new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
