package dev.weir.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows inside the starter. */
final class SpringArchitectureTest {
  private static final String ROOMS = "dev.weir.spring.internal.";

  private static final JavaClasses STARTER =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.weir.spring");

  @Test
  void theStartKnowsTheRoomsAndNoRoomKnowsTheStart() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOMS + "start..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOMS + "start..")
        .check(STARTER);
  }

  @Test
  void rulesAndStoreKnowNoWebAndNoMethods() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOMS + "rules..", ROOMS + "store..", ROOMS + "setting..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOMS + "web..", ROOMS + "method..", ROOMS + "actuate..")
        .check(STARTER);
  }

  @Test
  void mvcAndWebFluxDoNotKnowEachOther() {
    noClasses()
        .that()
        .resideInAPackage(ROOMS + "web.mvc..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            ROOMS + "web.webflux..", "reactor..", "org.springframework.web.reactive..")
        .check(STARTER);
    noClasses()
        .that()
        .resideInAPackage(ROOMS + "web.webflux..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOMS + "web.mvc..", "jakarta.servlet..", "dev.weir.servlet..")
        .check(STARTER);
  }

  @Test
  void nothingUsesTheInsideOfTheLibrary() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.weir.internal..", "dev.weir.rules.internal..", "dev.weir.redis.internal..")
        .check(STARTER);
  }
}
