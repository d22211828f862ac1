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
  private final List<ScriptRequest> requests = new ArrayList<>();
  private final List<int[]> keyIndexes = new ArrayList<>();
  private final Map<String, Integer> indexOfKey = new LinkedHashMap<>();

  public void add(ScriptRequest request) {
    int[] indexes = new int[request.keyNames.size()];
    for (int i = 0; i < indexes.length; i++) {
      Integer known = indexOfKey.get(request.keyNames.get(i));
      if (known == null) {
        known = indexOfKey.size() + 1;
        indexOfKey.put(request.keyNames.get(i), known);
      }
      indexes[i] = known;
    }
    requests.add(request);
    keyIndexes.add(indexes);
  }

  int size() {
    return requests.size();
  }

  boolean isEmpty() {
    return requests.isEmpty();
  }

  byte[][] keys() {
    byte[][] keys = new byte[indexOfKey.size()][];
    int next = 0;
    for (String name : indexOfKey.keySet()) {
      keys[next++] = name.getBytes(StandardCharsets.US_ASCII);
    }
    return keys;
  }

  /** The time, empty for the server's, and one blob per question. */
  byte[][] arguments(byte[] now) {
    byte[][] arguments = new byte[requests.size() + 1][];
    arguments[0] = now;
    for (int i = 0; i < requests.size(); i++) {
      arguments[i + 1] = requests.get(i).encode(keyIndexes.get(i));
    }
    return arguments;
  }

  /** Hands each question its part of the answer. */
  public void complete(List<Object> parts, boolean serverTime) {
    long now = (Long) parts.get(0);
    Iterator<Object> values = parts.subList(1 + requests.size(), parts.size()).iterator();
    List<ScriptReply> replies = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      Object answer = parts.get(1 + i);
      replies.add(
          ScriptReply.of(requests.get(i), serverTime, now, answer, values, keyIndexes.get(i)));
    }
    for (int i = 0; i < requests.size(); i++) {
      requests.get(i).reply.complete(replies.get(i));
    }
  }

  void fail(Throwable failure) {
    requests.forEach(request -> request.reply.completeExceptionally(failure));
  }
}
