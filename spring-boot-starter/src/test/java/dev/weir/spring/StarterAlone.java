package dev.weir.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/** The auto-configurations of the starter and no others: an application that starts quickly. */
final class StarterAlone implements DeferredImportSelector {
  @Override
  public String[] selectImports(AnnotationMetadata importing) {
    return ImportCandidates.load(AutoConfiguration.class, StarterAlone.class.getClassLoader())
        .getCandidates()
        .stream()
        .filter(name -> name.startsWith("dev.weir."))
        .sorted()
        .toArray(String[]::new);
  }
}
