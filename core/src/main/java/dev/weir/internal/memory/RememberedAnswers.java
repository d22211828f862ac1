package dev.weir.internal.memory;

import dev.weir.spi.Verdicts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Remembers answers, to repeat them instead of deciding again. Safe for many threads.
 *
 * <p>Deciding and remembering is one step: of two threads with the same question, the second waits
 * for the answer of the first. The map is divided into parts with a lock each, so that different
 * questions seldom wait for each other. A full part forgets its oldest answers.
 */
final class RememberedAnswers {
  private static final int PARTS = 64;
  private static final int MAX_PER_PART = 8192;

  private final Map<String, RememberedAnswer>[] parts;

  private record RememberedAnswer(Verdicts verdicts, UUID holder, long endsMicros) {}

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of maps
  RememberedAnswers() {
    parts = new Map[PARTS];
    for (int i = 0; i < PARTS; i++) {
      parts[i] = new LinkedHashMap<>();
    }
  }

  /**
   * Repeats the answer to a question that was allowed before; otherwise decides it.
   *
   * @param question the name of the question
   */
  Verdicts answer(
      String question, UUID holder, long nowMicros, long lifeMicros, Supplier<Verdicts> decide) {
    Map<String, RememberedAnswer> part = part(question);
    synchronized (part) {
      RememberedAnswer known = part.get(question);
      if (known != null && known.endsMicros <= nowMicros) {
        part.remove(question);
        known = null;
      }
      if (known != null && known.verdicts.allowed()) {
        return known.verdicts.repeated(known.holder);
      }
      Verdicts decided = decide.get();
      if (decided.each().stream().noneMatch(verdict -> verdict.isFailure())) {
        remember(
            part,
            question,
            new RememberedAnswer(decided, holder, nowMicros + lifeMicros),
            nowMicros);
      }
      return known == null ? decided : decided.repeated(holder);
    }
  }

  private static void remember(
      Map<String, RememberedAnswer> part,
      String question,
      RememberedAnswer answer,
      long nowMicros) {
    part.remove(question); // so that it becomes the newest
    part.put(question, answer);
    var oldest = part.values().iterator();
    RememberedAnswer next = oldest.next();
    if (next.endsMicros <= nowMicros || part.size() > MAX_PER_PART) {
      oldest.remove();
      if (oldest.hasNext() && oldest.next().endsMicros <= nowMicros) {
        oldest.remove();
      }
    }
  }

  void forget(String question) {
    Map<String, RememberedAnswer> part = part(question);
    synchronized (part) {
      part.remove(question);
    }
  }

  private Map<String, RememberedAnswer> part(String question) {
    return parts[Math.floorMod(question.hashCode(), PARTS)];
  }
}
