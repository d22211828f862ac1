package dev.weir.consumers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * A local repository of Maven that holds the artifacts of this build, as if they were installed.
 *
 * <p>The repository of the user stays as it is: Maven reads from it as from a remote one, so
 * nothing is downloaded that is there already.
 */
final class StagedRepository {
  private static final List<String> MODULES =
      List.of(
          "core",
          "redis",
          "rules",
          "http",
          "micrometer",
          "servlet",
          "grpc",
          "http-client",
          "jakarta-rest",
          "spring-boot-starter",
          "spring-cloud-gateway",
          "client",
          "testkit");

  private final Path sources;
  private final Path folder;
  private final String version;

  /**
   * @param sources the root of the build
   * @param folder where the repository is made
   */
  StagedRepository(Path sources, Path folder, String version) {
    this.sources = sources;
    this.folder = folder;
    this.version = version;
  }

  Path folder() {
    return folder;
  }

  void stage() {
    copy(sources.resolve("pom.xml"), "weir", "pom");
    copy(sources.resolve("bom/pom.xml"), "weir-bom", "pom");
    for (String module : MODULES) {
      String artifact = "weir-" + module;
      copy(sources.resolve(module + "/pom.xml"), artifact, "pom");
      copy(
          sources.resolve(module + "/target/" + artifact + "-" + version + ".jar"),
          artifact,
          "jar");
    }
  }

  private void copy(Path from, String artifact, String type) {
    Path to = folder.resolve("dev/weir").resolve(artifact).resolve(version);
    try {
      Files.createDirectories(to);
      Files.copy(
          from,
          to.resolve(artifact + "-" + version + "." + type),
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException missing) {
      throw new UncheckedIOException(from + " must be packaged: run mvn verify", missing);
    }
  }

  /** Settings that look into another repository before Maven Central. */
  Path settingsReading(Path repository) {
    String settings =
        """
        <settings>
          <profiles>
            <profile>
              <id>warm</id>
              <repositories>%1$s</repositories>
              <pluginRepositories>%2$s</pluginRepositories>
            </profile>
          </profiles>
          <activeProfiles><activeProfile>warm</activeProfile></activeProfiles>
        </settings>
        """
            .formatted(place("repository", repository), place("pluginRepository", repository));
    try {
      return Files.writeString(folder.resolve("settings.xml"), settings);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static String place(String element, Path repository) {
    return """
    <%1$s><id>warm</id><url>%2$s</url><snapshots><enabled>false</enabled></snapshots></%1$s>\
    """
        .formatted(element, repository.toUri());
  }
}
