package dev.weir.server.service;

import dev.weir.internal.text.PrintableText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What administrators have done on this instance: a line of the log each, and the latest of them
 * for the dashboard. Keys may be personal data and are not logged. Safe for many threads.
 */
public final class AuditTrail {
  private static final System.Logger LOG = System.getLogger(AuditTrail.class.getName());
  private static final int KEPT = 200;
  private static final int LONGEST_KEYS = 500;

  private final LongSupplier nowMillis;
  private final Deque<AuditEntry> entries = new ArrayDeque<>();
  private volatile long count;

  public AuditTrail(LongSupplier nowMillis) {
    this.nowMillis = nowMillis;
  }

  /**
   * One action.
   *
   * @param from the address of the administrator
   * @param action what was done, without keys
   * @param keys whom it concerns; empty if nobody in particular
   */
  public record AuditEntry(long atMillis, String from, String action, String keys) {}

  public void record(String from, String action, String keys) {
    LOG.log(System.Logger.Level.INFO, "administrator at " + from + ": " + PrintableText.of(action));
    String kept = keys.length() <= LONGEST_KEYS ? keys : keys.substring(0, LONGEST_KEYS) + "...";
    synchronized (entries) {
      count++;
      entries.addFirst(new AuditEntry(nowMillis.getAsLong(), from, action, kept));
      if (entries.size() > KEPT) {
        entries.removeLast();
      }
    }
  }

  /** How many there were, those that are not kept any more too. */
  public long count() {
    return count;
  }

  /** The latest first. */
  public List<AuditEntry> latest() {
    synchronized (entries) {
      return Collections.unmodifiableList(new ArrayList<>(entries));
    }
  }
}
