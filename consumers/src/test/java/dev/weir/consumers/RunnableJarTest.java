package dev.weir.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the runnable jar says of its parts is true and complete. */
@Tag("slow") // needs the packaged jar
final class RunnableJarTest {
  private static final Path JAR = Path.of("../cli/target/weir.jar");
  private static final Path CLI = Path.of("../cli/target");
  private static final String LICENSES = "META-INF/licenses/";

  private static List<BundledArtifact> bundled;

  @BeforeAll
  static void readBillOfMaterials() throws IOException {
    bundled = BundledArtifact.readFrom(text("META-INF/sbom/weir.cdx.json"));
  }

  /** A line of the list of licences: artifact, licence, files. */
  private record Line(String artifact, String licence, List<String> files) {
    static Line parse(String line) {
      String[] cells = line.split("\\|");
      return new Line(cells[0].strip(), cells[1].strip(), List.of(cells[2].strip().split(" ")));
    }
  }

  @Test
  void theBillOfMaterialsNamesExactlyWhatIsInTheJar() throws IOException {
    Set<String> named = new TreeSet<>(commandClasses());
    for (BundledArtifact artifact : bundled) {
      named.addAll(artifact.classes());
    }
    assertThat(new TreeSet<>(BundledArtifact.classes(JAR))).isEqualTo(named);
  }

  private static Set<String> commandClasses() throws IOException {
    String version = System.getProperty("weir.version");
    return BundledArtifact.classes(CLI.resolve("weir-cli-" + version + ".jar"));
  }

  @Test
  void everyBundledArtifactIsListedWithItsLicence() throws IOException {
    assertThat(lines())
        .extracting(Line::artifact)
        .containsExactlyInAnyOrderElementsOf(
            bundled.stream()
                .filter(artifact -> !artifact.isOwn())
                .map(BundledArtifact::coordinates)
                .toList());
    assertThat(lines()).extracting(Line::licence).noneMatch(String::isEmpty);
  }

  @Test
  void theTermsOfEveryLicenceAreInTheJar() throws IOException {
    for (Line line : lines()) {
      for (String file : line.files()) {
        String name = Path.of(LICENSES, file).normalize().toString();
        assertThat(text(name)).as(line + ": " + name).isNotBlank();
      }
    }
  }

  @Test
  void theLicenceOfTheJarIsItsOwn() throws IOException {
    assertThat(text("META-INF/LICENSE")).contains("Apache License", "Version 2.0, January 2004");
    assertThat(text("META-INF/NOTICE")).startsWith("Weir\n");
  }

  @Test
  void theNoticesOfAllPartsAreKept() throws IOException {
    String notice = unwrapped(text("META-INF/NOTICE"));
    for (BundledArtifact artifact : bundled) {
      if (!artifact.isOwn()) {
        assertThat(notice).contains(unwrapped(artifact.notice().orElse("")));
      }
    }
  }

  private static List<Line> lines() throws IOException {
    return text(LICENSES + "THIRD-PARTY.txt")
        .lines()
        .filter(line -> line.contains("|"))
        .map(Line::parse)
        .toList();
  }

  private static String unwrapped(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }

  private static String text(String name) throws IOException {
    return BundledArtifact.text(JAR, name).orElse("");
  }
}
