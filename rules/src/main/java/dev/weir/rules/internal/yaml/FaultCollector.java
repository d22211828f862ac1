package dev.weir.rules.internal.yaml;

import dev.weir.rules.Fault;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects every fault, so that one run shows them all. */
public final class FaultCollector {
  private static final Comparator<Fault> BY_PLACE =
      Comparator.comparing(Fault::file)
          .thenComparingInt(Fault::line)
          .thenComparingInt(Fault::column);

  /** A set, because an aliased value is read more than once. */
  private final Set<Fault> faults = new LinkedHashSet<>();

  private final Set<Fault> hints = new LinkedHashSet<>();

  private final Map<String, String> hidden = new HashMap<>();

  public void add(SourcePosition at, String text) {
    String told = hidden.getOrDefault(at.file(), text);
    faults.add(new Fault(at.file(), at.line(), at.column(), told));
  }

  /** Something that is valid and probably not meant. */
  public void hint(SourcePosition at, String text) {
    hints.add(new Fault(at.file(), at.line(), at.column(), "hint: " + text));
  }

  public List<Fault> hints() {
    return hints.stream().sorted(BY_PLACE).toList();
  }

  /**
   * From now on, faults of this file have a place but do not quote its text: a rule may by mistake
   * name any file of the machine, even one with secrets.
   *
   * @param expected what the file must be
   */
  public void hideContents(String file, String expected) {
    hidden.put(file, expected);
  }

  public boolean isEmpty() {
    return faults.isEmpty();
  }

  public List<Fault> inOrder() {
    return faults.stream().sorted(BY_PLACE).toList();
  }
}
