package dev.weir.redis.internal.script;

import dev.weir.redis.internal.protocol.ScriptReply;
import dev.weir.redis.internal.protocol.ScriptRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Different questions that are sent in one script call. Their keys are all in one hash slot, and
 * each key is in the call once; or the questions are single claims on keys of one server of a
 * Cluster, which are sent as decide_across_slots.lua says.
 */
final class Batch {
  /** Beyond this, a larger batch saves little. */
  static final int MAX_QUESTIONS = 32;

  /** Some servers accept 3,999 arguments at most; a single question may have 1,000 claims. */
  private static final int MAX_CLAIMS = 1_000;

  private final List<EqualQuestions> questions = new ArrayList<>();
  private int claims;

  /** Per question and claim, the index of its key in the call. */
  private final List<int[]> keyIndexes = new ArrayList<>();

  /** Per question, the index of the key of its remembered answer; 0 if it has none. */
  private final List<Integer> answerIndexes = new ArrayList<>();

  private volatile boolean written;

  boolean hasRoomFor(EqualQuestions more) {
    return questions.isEmpty()
        || questions.size() < MAX_QUESTIONS && claims + more.asked.claims().size() <= MAX_CLAIMS;
  }

  void add(EqualQuestions question) {
    questions.add(question);
    claims += question.asked.claims().size();
  }

  boolean isEmpty() {
    return questions.isEmpty();
  }

  /** The hash slot of the first question, which selects the server. */
  int slot() {
    return questions.get(0).asked.slot();
  }

  boolean isAcrossSlots() {
    for (EqualQuestions question : questions) {
      if (question.asked.slot() != slot()) {
        return true;
      }
    }
    return false;
  }

  /** Whether each question is a single plain claim, for which there is a faster script. */
  boolean hasSingleClaims() {
    return claims == questions.size() && hasOnly(question -> question.request().isSingleClaim());
  }

  /** Whether each question only takes or releases slots, for which there is one as well. */
  boolean hasSingleClaimsOnSlots() {
    return hasOnly(question -> question.request().isSingleClaimOnSlots());
  }

  /** Whether each question is about one key and has one caller, for which there is one as well. */
  boolean hasOneKeyEach() {
    return hasOnly(question -> !question.isMerged() && question.request().isAboutOneKey());
  }

  private boolean hasOnly(Predicate<EqualQuestions> kind) {
    for (EqualQuestions question : questions) {
      if (!kind.test(question)) {
        return false;
      }
    }
    return true;
  }

  /** The keys of the call. To be called once, after the last {@link #add}. */
  byte[][] keys() {
    return isAcrossSlots() ? new byte[][] {keyName(0)} : distinctKeys();
  }

  private byte[] keyName(int question) {
    return questions.get(question).request().keyNames.get(0).getBytes(StandardCharsets.US_ASCII);
  }

  private byte[][] distinctKeys() {
    Map<String, Integer> indexOfKey = new LinkedHashMap<>(2 * claims);
    for (EqualQuestions question : questions) {
      ScriptRequest request = question.request();
      keyIndexes.add(indexKeys(request.keyNames, indexOfKey));
      answerIndexes.add(request.answerKey().map(name -> index(name, indexOfKey)).orElse(0));
    }
    byte[][] keys = new byte[indexOfKey.size()][];
    int next = 0;
    for (String name : indexOfKey.keySet()) {
      keys[next++] = name.getBytes(StandardCharsets.US_ASCII);
    }
    return keys;
  }

  private static int[] indexKeys(List<String> keyNames, Map<String, Integer> indexOfKey) {
    int[] indexes = new int[keyNames.size()];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = index(keyNames.get(i), indexOfKey);
    }
    return indexes;
  }

  private static int index(String keyName, Map<String, Integer> indexOfKey) {
    Integer known = indexOfKey.get(keyName);
    if (known == null) {
      known = indexOfKey.size() + 1;
      indexOfKey.put(keyName, known);
    }
    return known;
  }

  /** The time (empty for the server's) and one blob per question. Call {@link #keys} before. */
  byte[][] arguments(byte[] now) {
    return isAcrossSlots() ? argumentsAcrossSlots(now) : argumentsOfOneSlot(now);
  }

  /** The keys of all questions but the first follow at the end. */
  private byte[][] argumentsAcrossSlots(byte[] now) {
    int size = questions.size();
    byte[][] arguments = new byte[2 * size][];
    arguments[0] = now;
    for (int i = 0; i < size; i++) {
      arguments[1 + i] = questions.get(i).encode(new int[] {i + 1}, 0);
      if (i > 0) {
        arguments[size + i] = keyName(i);
      }
    }
    return arguments;
  }

  private byte[][] argumentsOfOneSlot(byte[] now) {
    byte[][] arguments = new byte[questions.size() + 1][];
    arguments[0] = now;
    for (int i = 0; i < questions.size(); i++) {
      arguments[i + 1] = questions.get(i).encode(keyIndexes.get(i), answerIndexes.get(i));
    }
    return arguments;
  }

  /** The reply to each question, in their order. */
  List<ScriptReply> replies(List<Object> parts, boolean serverTime) {
    long now = (Long) parts.get(0);
    boolean isSingle = hasSingleClaims();
    Iterator<Object> values = parts.subList(1 + questions.size(), parts.size()).iterator();
    List<ScriptReply> replies = new ArrayList<>(questions.size());
    for (int i = 0; i < questions.size(); i++) {
      ScriptRequest request = questions.get(i).request();
      Object answer = parts.get(1 + i);
      replies.add(
          isSingle
              ? ScriptReply.ofSingle(request, serverTime, now, answer)
              : ScriptReply.of(request, serverTime, now, answer, values, keyIndexes.get(i)));
    }
    return replies;
  }

  /** Called by the connection's event loop when it writes the batch to the socket. */
  void markWritten() {
    written = true;
  }

  boolean isWritten() {
    return written;
  }

  void forEach(Consumer<EqualQuestions> action) {
    questions.forEach(action);
  }

  /** Pairs each question with its reply. */
  void forEach(List<ScriptReply> replies, BiConsumer<EqualQuestions, ScriptReply> action) {
    for (int i = 0; i < questions.size(); i++) {
      action.accept(questions.get(i), replies.get(i));
    }
  }
}
