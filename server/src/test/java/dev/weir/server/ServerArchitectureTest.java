package dev.weir.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows inside the service, and from it to the modules it stands on. */
final class ServerArchitectureTest {
  private static final JavaClasses WEIR =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.weir");

  @Test
  void theServiceKnowsNoHttp() {
    noClasses()
        .that()
        .resideInAPackage("dev.weir.server.service")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.weir.server.http..", "dev.weir.http", "io.vertx.core.http..")
        .check(WEIR);
  }

  @Test
  void nothingTheServerStandsOnKnowsIt() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.weir.server..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.weir.server..", "io.vertx..")
        .check(WEIR);
  }

  @Test
  void metricsAreKnownToTheMetricsModuleAndTheServerAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.weir.server..", "dev.weir.micrometer..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.micrometer..", "dev.weir.micrometer..")
        .check(WEIR);
  }

  @Test
  void httpKnowsRulesAndNeitherKnowsRedis() {
    noClasses()
        .that()
        .resideInAPackage("dev.weir.rules..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.weir.redis..", "dev.weir.http..")
        .check(WEIR);
    noClasses()
        .that()
        .resideInAPackage("dev.weir.redis..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.weir.rules..", "dev.weir.http..")
        .check(WEIR);
    noClasses()
        .that()
        .resideInAPackage("dev.weir.http..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.weir.redis..")
        .check(WEIR);
  }
}
