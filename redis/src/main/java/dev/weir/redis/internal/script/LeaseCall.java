package dev.weir.redis.internal.script;

import dev.weir.Claim;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.protocol.ScriptReply;
import dev.weir.redis.internal.protocol.ScriptRequest;
import dev.weir.spi.LeaseAnswer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One question that is asked several times in a call of its own. decide.lua answers it like merged
 * questions: it takes as many as fit, each with all its claims.
 */
record LeaseCall(List<Claim> claims, int times, KeyNames names, boolean serverTime) {
  /** Sends the encoded question with its keys. */
  interface Sender {
    CompletionStage<List<Object>> send(byte[][] keys, byte[] question);
  }

  CompletableFuture<LeaseAnswer> send(ScriptRequest request, Sender sender) {
    return send(request, sender, true).toCompletableFuture();
  }

  private CompletionStage<LeaseAnswer> send(
      ScriptRequest request, Sender sender, boolean mayRepeat) {
    Map<String, Integer> keys = new LinkedHashMap<>();
    int[] indexes = new int[claims.size()];
    for (int i = 0; i < indexes.length; i++) {
      int next = keys.size() + 1;
      Integer known = keys.putIfAbsent(request.keyNames.get(i), next);
      indexes[i] = known == null ? next : known;
    }
    byte[][] names =
        keys.keySet().stream()
            .map(name -> name.getBytes(StandardCharsets.US_ASCII))
            .toArray(byte[][]::new);
    return sender
        .send(names, request.encode(indexes, 0, times))
        .thenCompose(parts -> answer(request, indexes, parts, sender, mayRepeat));
  }

  /** A question whose calendar window does not contain the store's time is sent once more. */
  private CompletionStage<LeaseAnswer> answer(
      ScriptRequest request, int[] indexes, List<Object> parts, Sender sender, boolean mayRepeat) {
    ScriptReply reply = reply(request, indexes, parts);
    if (reply.missedEdge() && mayRepeat) {
      return send(request.at(reply.now()), sender, false);
    }
    return CompletableFuture.completedFuture(reply.leaseAnswer(names, times));
  }

  private ScriptReply reply(ScriptRequest request, int[] indexes, List<Object> parts) {
    long now = (Long) parts.get(0);
    if (request.isSingleClaim()) {
      return ScriptReply.ofSingle(request, serverTime, now, parts.get(1));
    }
    List<Object> values = parts.subList(2, parts.size());
    return ScriptReply.of(request, serverTime, now, parts.get(1), values.iterator(), indexes);
  }
}
