package dev.weir.redis.internal.script;

import dev.weir.redis.internal.protocol.ScriptReply;
import dev.weir.redis.internal.protocol.ScriptRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Questions that go to the server in one script call; each key is named once. */
public final class Batch {
  private final List<ScriptRequest> calls = new ArrayList<>();
  private final List<int[]> keyIndexes = new ArrayList<>();
  private final Map<String, Integer> places = new LinkedHashMap<>();

  public void add(ScriptRequest call) {
    int[] indexes = new int[call.keyNames.size()];
    for (int i = 0; i < indexes.length; i++) {
      Integer known = places.get(call.keyNames.get(i));
      if (known == null) {
        known = places.size() + 1;
        places.put(call.keyNames.get(i), known);
      }
      indexes[i] = known;
    }
    calls.add(call);
    keyIndexes.add(indexes);
  }

  int size() {
    return calls.size();
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  byte[][] keys() {
    byte[][] keys = new byte[places.size()][];
    int next = 0;
    for (String name : places.keySet()) {
      keys[next++] = name.getBytes(StandardCharsets.US_ASCII);
    }
    return keys;
  }

  /** The time, empty for the server's, and one blob per question. */
  byte[][] arguments(byte[] now) {
    byte[][] arguments = new byte[calls.size() + 1][];
    arguments[0] = now;
    for (int i = 0; i < calls.size(); i++) {
      arguments[i + 1] = calls.get(i).encode(keyIndexes.get(i));
    }
    return arguments;
  }

  /** Hands each question its part of the answer. */
  public void complete(List<Object> parts, boolean serverTime) {
    long now = (Long) parts.get(0);
    Iterator<Object> values = parts.subList(1 + calls.size(), parts.size()).iterator();
    List<ScriptReply> replies = new ArrayList<>(calls.size());
    for (int i = 0; i < calls.size(); i++) {
      Object answer = parts.get(1 + i);
      replies.add(ScriptReply.of(calls.get(i), serverTime, now, answer, values, keyIndexes.get(i)));
    }
    for (int i = 0; i < calls.size(); i++) {
      calls.get(i).reply.complete(replies.get(i));
    }
  }

  void fail(Throwable failure) {
    calls.forEach(call -> call.reply.completeExceptionally(failure));
  }
}
