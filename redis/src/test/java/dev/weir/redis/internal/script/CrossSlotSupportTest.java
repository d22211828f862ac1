package dev.weir.redis.internal.script;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Policy;
import dev.weir.redis.internal.protocol.EncodedPolicyCache;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.protocol.OperationCode;
import dev.weir.redis.internal.protocol.QuestionHead;
import dev.weir.redis.internal.protocol.ScriptReply;
import dev.weir.redis.internal.protocol.ScriptRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that refuse calls across hash slots, and those that refuse a key that has moved. */
final class CrossSlotSupportTest {
  private static final String SERVER = "a:1";

  private final ScriptRequest request =
      new RequestEncoder(new EncodedPolicyCache(), new KeyNames("default"), new ManualTime())
          .request(
              new AskedQuestion(
                  OperationCode.ACQUIRE,
                  List.of(
                      Claim.of(
                          Policy.of("rule", "l", Limit.tokenBucket(1, Duration.ofSeconds(1))),
                          "key")),
                  QuestionHead.none(),
                  0));
  private final ScriptReply decided =
      ScriptReply.ofSingle(request, true, 0, new byte[6]); // an empty state
  private long nowNanos;
  private final CrossSlotSupport support = new CrossSlotSupport(() -> nowNanos);

  private ScriptReply refused(String error) {
    return ScriptReply.ofSingle(request, true, 0, List.of(error.getBytes(US_ASCII)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ERR Script attempted to access a non local key in a cluster node",
        "Lua script attempted to access a non local key in a cluster node",
        "ERR Script attempted to access keys that do not hash to the same slot",
        "ERR script tried accessing undeclared key"
      })
  void aServerThatRefusesAllOtherKeysGetsNoSuchCallsForAMinute(String error) {
    support.answered(SERVER, List.of(decided, refused(error), refused(error)));
    assertThat(support.isAllowed(SERVER)).isFalse();
    assertThat(support.isAllowed("b:1")).isTrue();

    nowNanos += Duration.ofMinutes(1).toNanos() - 1;
    assertThat(support.isAllowed(SERVER)).isFalse();
    nowNanos++;
    assertThat(support.isAllowed(SERVER)).isTrue();
  }

  @Test
  void aKeyThatHasMovedChangesNothing() {
    support.answered(SERVER, List.of(decided, refused("ERR a non local key"), decided));
    assertThat(support.isAllowed(SERVER)).isTrue();
  }

  @Test
  void otherErrorsAreNotRefusedKeys() {
    support.answered(SERVER, List.of(decided, refused("OOM command not allowed")));
    assertThat(support.isAllowed(SERVER)).isTrue();
  }
}
