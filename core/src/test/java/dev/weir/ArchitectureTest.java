package dev.weir;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows inside core; its module has no dependency that could break those outside. */
final class ArchitectureTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.weir");

  @Test
  void coreKnowsNobody() {
    classes()
        .that()
        .resideInAnyPackage("dev.weir", "dev.weir.spi", "dev.weir.internal..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..", "org.jspecify..", "dev.weir", "dev.weir.spi", "dev.weir.internal..")
        .check(CORE);
  }

  @Test
  void theArithmeticReadsNoClockAndKnowsNoStore() {
    noClasses()
        .that()
        .resideInAPackage("dev.weir.internal.arithmetic")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.weir.internal.memory", "java.util.concurrent..")
        .orShould()
        .dependOnClassesThat()
        .haveSimpleName("TimeSource")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(CORE);
  }

  @Test
  void recordsAreKnownToTheMemoryStoreAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.weir.internal.memory")
        .and()
        .doNotHaveSimpleName("MemoryStore")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.weir.internal.memory")
        .check(CORE);
  }
}
