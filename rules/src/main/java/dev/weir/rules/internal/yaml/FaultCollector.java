package dev.weir.rules.internal.yaml;

import dev.weir.rules.Fault;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects every fault, so that one run shows them all. */
public final class FaultCollector {
  private static final Comparator<Fault> BY_PLACE =
      Comparator.comparing(Fault::file)
          .thenComparingInt(Fault::line)
          .thenComparingInt(Fault::column);

  /** A set, because an aliased value is read more than once. */
  private final Set<Fault> faults = new LinkedHashSet<>();

  public void add(SourcePosition at, String text) {
    faults.add(new Fault(at.file(), at.line(), at.column(), text));
  }

  public boolean isEmpty() {
    return faults.isEmpty();
  }

  public List<Fault> inOrder() {
    return faults.stream().sorted(BY_PLACE).toList();
  }
}
