package dev.weir.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archives for users without Maven: unpacked and started as they would. */
@Tag("slow") // needs the archives, which -Pfull makes
@Timeout(120)
final class DistributionTest {
  private static final String NAME = "weir-" + System.getProperty("weir.version");
  private static final Path ARCHIVES = Path.of("../cli/target").toAbsolutePath();
  private static final Path UNIT = Path.of("../deploy/systemd/weir.service");
  private static final Pattern OPTION = Pattern.compile("--[a-z-]+");

  @TempDir static Path folder;
  private static Path home;

  @BeforeAll
  static void unpack() throws IOException, InterruptedException {
    Run.Result unpacked =
        new Run("tar", "-xzf", ARCHIVES.resolve(NAME + ".tar.gz").toString()).in(folder);
    assertThat(unpacked.status()).as(unpacked.output()).isZero();
    home = folder.resolve(NAME);
  }

  @Test
  void bothArchivesHoldTheSameFiles() throws IOException {
    try (ZipFile zip = new ZipFile(ARCHIVES.resolve(NAME + ".zip").toFile());
        Stream<Path> unpacked = Files.walk(home)) {
      Set<String> zipped =
          zip.stream()
              .filter(entry -> !entry.isDirectory())
              .map(entry -> entry.getName().substring(NAME.length() + 1))
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(zipped)
          .contains(
              "bin/weir",
              "bin/make-runtime",
              "lib/weir.jar",
              "etc/weir.yaml",
              "LICENSE",
              "NOTICE",
              "README.md")
          .contains("systemd/weir.service", "licenses/THIRD-PARTY.txt");
      assertThat(
              unpacked
                  .filter(Files::isRegularFile)
                  .map(file -> home.relativize(file).toString())
                  .filter(name -> !name.endsWith(".jsa")))
          .containsExactlyInAnyOrderElementsOf(zipped);
    }
  }

  @Test
  void theCommandRunsFromAnyDirectoryAndThroughALink() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("weir"), home.resolve("bin/weir"));
    Run.Result version = new Run(link.toString(), "--version").in(Path.of("/"));
    assertThat(version.output()).contains(System.getProperty("weir.version"));
    Run.Result valid =
        new Run(link.toString(), "validate", home.resolve("etc/weir.yaml").toString()).in(folder);
    assertThat(valid.status()).as(valid.output()).isZero();
  }

  @Test
  void theServiceStartsMakesItsClassArchiveAndEndsWith143() throws Exception {
    Path cache = Files.createDirectories(folder.resolve("cache"));
    Process service = serve(home, cache);
    try (BufferedReader out = service.inputReader()) {
      assertThat(status(port(out), "/readyz")).isEqualTo(200);
      try (Stream<Path> archives = Files.list(cache)) {
        assertThat(archives.map(file -> file.getFileName().toString()))
            .singleElement()
            .asString()
            .matches("weir-.*\\.jsa");
      }
      assertThat(service.info().arguments().map(List::of).orElseThrow())
          .anyMatch(argument -> argument.startsWith("-XX:SharedArchiveFile=" + cache));
      service.destroy();
      assertThat(service.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(service.exitValue()).isEqualTo(143);
      assertThat(Files.readString(UNIT)).contains("\nSuccessExitStatus=143\n");
    } finally {
      service.destroyForcibly();
    }
  }

  @Test
  @Timeout(300)
  void aRuntimeOfItsOwnRunsTheServiceWithoutJavaOnThePath() throws Exception {
    Path copy = folder.resolve("with-runtime");
    assertThat(new Run("cp", "-r", home.toString(), copy.toString()).in(folder).status()).isZero();
    Run.Result made = new Run(copy.resolve("bin/make-runtime").toString()).in(folder);
    assertThat(made.status()).as(made.output()).isZero();
    Process service = serve(copy, Files.createDirectories(folder.resolve("runtime-cache")));
    try (BufferedReader out = service.inputReader()) {
      assertThat(status(port(out), "/readyz")).isEqualTo(200);
      assertThat(service.info().command()).contains(copy.resolve("runtime/bin/java").toString());
    } finally {
      service.destroyForcibly();
    }
  }

  @Test
  void theUnitOfSystemdUsesOptionsThatExist() throws Exception {
    String start =
        Files.readString(UNIT)
            .lines()
            .filter(line -> line.startsWith("ExecStart="))
            .findFirst()
            .get();
    assertThat(start).startsWith("ExecStart=/opt/weir/bin/weir serve ");
    String help =
        new Run(home.resolve("bin/weir").toString(), "serve", "--help").in(folder).output();
    Set<String> known =
        OPTION.matcher(help).results().map(found -> found.group()).collect(Collectors.toSet());
    Set<String> used =
        OPTION.matcher(start).results().map(found -> found.group()).collect(Collectors.toSet());
    assertThat(used).hasSizeGreaterThan(3).isSubsetOf(known);
  }

  private static Process serve(Path distribution, Path cache) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            distribution.resolve("bin/weir").toString(),
            "serve",
            "--config=" + distribution.resolve("etc/weir.yaml"),
            "--host=127.0.0.1",
            "--port=0",
            "--drain=0",
            "--warm-up=0");
    builder.environment().remove("JAVA_HOME");
    builder
        .environment()
        .putAll(Map.of("WEIR_CACHE", cache.toString(), "JAVA_OPTS", "-Xmx128m -Xss1m"));
    return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static int port(BufferedReader out) throws IOException {
    Matcher first = Pattern.compile("Weir serves on http://[^:]+:(\\d+)").matcher(out.readLine());
    assertThat(first.matches()).isTrue();
    return Integer.parseInt(first.group(1));
  }

  private static int status(int port, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }
}
