package dev.weir.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.RedisProcess;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The projects in {@code consumers/projects} know nothing of this build: they are built by a Maven
 * of their own from the packaged jars, and run on the class path and on the module path.
 */
@Tag("slow")
final class ConsumerProjectsTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Path PROJECTS = ROOT.resolve("consumers/projects");
  private static final Path RUNNABLE_JAR = ROOT.resolve("cli/target/weir.jar");
  private static final Path INSTALLED_JDKS = Path.of("/usr/lib/jvm");

  private static RedisProcess redis;

  private enum Consumer {
    CORE("CoreConsumer", "true false"),
    REDIS("RedisConsumer", "true false"),
    RULES("RulesConsumer", "1 0"),
    HTTP("HttpConsumer", "false true"),
    MICROMETER("MicrometerConsumer", "2"),
    SERVLET("ServletConsumer", "WeirFilter"),
    GRPC("GrpcConsumer", "RESOURCE_EXHAUSTED"),
    HTTPCLIENT("HttpClientConsumer", "PT5S"),
    REST("RestConsumer", "LimitedFilter"),
    CLIENT("ClientConsumer", "true client"),
    TESTKIT("TestkitConsumer", "+PONG 1970-01-01T00:00:05Z"),
    BOOT("BootConsumer", "429"),
    GATEWAY("GatewayConsumer", "200 429");

    /** Those whose libraries are part of the runnable jar. */
    static final Set<Consumer> BUNDLED = EnumSet.range(CORE, MICROMETER);

    /** Spring Boot applications run on the class path. */
    static final Set<Consumer> MODULAR = EnumSet.range(CORE, TESTKIT);

    final String title = name().toLowerCase(Locale.ROOT);
    final String mainClass;
    final String output;

    Consumer(String simpleName, String output) {
      this.mainClass = "example." + title + "." + simpleName;
      this.output = output;
    }

    Path project() {
      return PROJECTS.resolve(title);
    }
  }

  @BeforeAll
  static void buildProjects() throws IOException, InterruptedException {
    redis = RedisProcess.start();
    StagedRepository repository =
        new StagedRepository(
            ROOT, ROOT.resolve("consumers/target/repository"), System.getProperty("weir.version"));
    repository.stage();
    Path warm = Path.of(System.getProperty("maven.repository"));
    Run.Result built =
        new Run(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "--batch-mode",
                "--settings=" + repository.settingsReading(warm),
                "-Dmaven.repo.local=" + repository.folder(),
                "-Dweir.version=" + System.getProperty("weir.version"),
                "clean",
                "compile")
            .in(PROJECTS);
    assertThat(built.status()).as(built.output()).isZero();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  static Stream<Arguments> consumersAndJdks() throws IOException {
    return onAllJdks(EnumSet.allOf(Consumer.class));
  }

  static Stream<Arguments> modularConsumersAndJdks() throws IOException {
    return onAllJdks(Consumer.MODULAR);
  }

  private static Stream<Arguments> onAllJdks(Set<Consumer> consumers) throws IOException {
    List<Path> jdks = jdks();
    return consumers.stream()
        .flatMap(consumer -> jdks.stream().map(jdk -> Arguments.of(consumer, jdk)));
  }

  /** The one that runs this test, and an installed JDK 25, if there is one. */
  private static List<Path> jdks() throws IOException {
    List<Path> jdks = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
    if (Files.isDirectory(INSTALLED_JDKS)) {
      try (Stream<Path> installed = Files.list(INSTALLED_JDKS)) {
        installed
            .filter(jdk -> jdk.getFileName().toString().contains("-25-"))
            .filter(jdk -> Files.isExecutable(jdk.resolve("bin/java")))
            .findFirst()
            .ifPresent(jdks::add);
      }
    }
    return jdks;
  }

  @ParameterizedTest
  @MethodSource("modularConsumersAndJdks")
  void runsOnTheModulePath(Consumer consumer, Path jdk) throws IOException, InterruptedException {
    String modules = consumer.project().resolve("target/classes") + ":" + libraries(consumer);
    String main = "example." + consumer.title + "/" + consumer.mainClass;
    run(consumer, java(jdk), "--module-path", modules, "--module", main, redis.uri());
  }

  @ParameterizedTest
  @MethodSource("consumersAndJdks")
  void compilesAndRunsOnTheClassPath(Consumer consumer, Path jdk)
      throws IOException, InterruptedException {
    Path classes = Files.createDirectories(consumer.project().resolve("target/class-path-classes"));
    compileOnTheClassPath(consumer, classes);
    String classPath = classes + ":" + libraries(consumer) + "/*";
    run(consumer, java(jdk), "-cp", classPath, consumer.mainClass, redis.uri());
  }

  /** Applications with Spring Boot have its versions of what Weir uses, not ours. */
  @ParameterizedTest
  @CsvSource({
    "redis-boot-3.5, lettuce-core-6.6.0.RELEASE.jar, netty-common-4.1.135.Final.jar",
    "redis-boot-4.1, lettuce-core-7.5.2.RELEASE.jar, netty-common-4.2.17.Final.jar"
  })
  void redisWorksWithTheLibrariesOfSpringBoot(String project, String lettuce, String netty)
      throws IOException, InterruptedException {
    Path folder = PROJECTS.resolve(project);
    assertThat(folder.resolve("target/lib").resolve(lettuce)).exists();
    assertThat(folder.resolve("target/lib").resolve(netty)).exists();
    String classPath = folder.resolve("target/classes") + ":" + folder.resolve("target/lib") + "/*";
    String java = java(Path.of(System.getProperty("java.home")));
    run(Consumer.REDIS, java, "-cp", classPath, Consumer.REDIS.mainClass, redis.uri());
  }

  /** The last line counts: SLF4J reports before it that it has nowhere to log. */
  private static void run(Consumer consumer, String... command)
      throws IOException, InterruptedException {
    Run.Result result = new Run(command).in(consumer.project());
    assertThat(result.output()).endsWith(consumer.output + "\n");
    assertThat(result.status()).isZero();
  }

  /**
   * What is only managed in our build would come to others in the versions that Lettuce asks for.
   */
  @Test
  void librariesComeInTheVersionsOfTheRunnableJar() throws IOException {
    Set<String> bundled =
        BundledArtifact.readFrom(
                BundledArtifact.text(RUNNABLE_JAR, "META-INF/sbom/weir.cdx.json").orElseThrow())
            .stream()
            .map(artifact -> artifact.name() + "-" + artifact.version() + ".jar")
            .collect(Collectors.toSet());
    for (Consumer consumer : Consumer.BUNDLED) {
      try (Stream<Path> jars = Files.list(libraries(consumer))) {
        assertThat(jars.map(jar -> jar.getFileName().toString())).isNotEmpty().isSubsetOf(bundled);
      }
    }
  }

  private static void compileOnTheClassPath(Consumer consumer, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    String source = "src/main/java/" + consumer.mainClass.replace('.', '/') + ".java";
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> jars = Files.list(libraries(consumer))) {
      String classPath = jars.map(Path::toString).collect(Collectors.joining(":"));
      compiler
          .getTask(
              messages,
              files,
              null,
              List.of("-Xlint:all", "-cp", classPath, "-d", classes.toString()),
              null,
              files.getJavaFileObjects(consumer.project().resolve(source)))
          .call();
    }
    assertThat(messages.toString()).isEmpty();
  }

  private static String java(Path jdk) {
    return jdk.resolve("bin/java").toString();
  }

  private static Path libraries(Consumer consumer) {
    return consumer.project().resolve("target/lib");
  }
}
