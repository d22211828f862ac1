package dev.weir.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.soak.CheckAnswer.RequestKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class CheckAnswerTest {
  @ParameterizedTest
  @CsvSource({
    "ALLOW, 200, store",
    "ALLOW, 429, store",
    "DENY, 429, deny-cache",
    "LOCAL, 200, store",
    "SHADOW, 200, store",
    "FRESH, 200, store"
  })
  void decisionsOfRedisAreRightAtAnyTime(RequestKind kind, int status, String source) {
    assertThat(answer(kind, status, source).fault(true)).isEmpty();
    assertThat(answer(kind, status, source).fault(false)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"ALLOW, 200", "DENY, 503", "LOCAL, 200", "LOCAL, 429", "SHADOW, 200", "FRESH, 429"})
  void theFailurePolicyAnswersAroundFaultsOnly(RequestKind kind, int status) {
    CheckAnswer answer = answer(kind, status, CheckAnswer.FALLBACK);
    assertThat(answer.fault(false)).isEmpty();
    assertThat(answer.fault(true)).contains(kind + " was answered without Redis while it was well");
  }

  @ParameterizedTest
  @CsvSource({"ALLOW, 429", "ALLOW, 503", "DENY, 200", "DENY, 429", "LOCAL, 503", "SHADOW, 429"})
  void anotherPolicyIsWrong(RequestKind kind, int status) {
    assertThat(answer(kind, status, CheckAnswer.FALLBACK).fault(false))
        .contains(kind + " was answered " + status + " by policy");
  }

  @ParameterizedTest
  @EnumSource
  void errorsAreWrongAlsoAroundFaults(RequestKind kind) {
    assertThat(answer(kind, 500, "nobody").fault(false)).contains(kind + " was answered 500");
    assertThat(answer(kind, 503, "nobody").fault(false)).contains(kind + " was answered 503");
  }

  @Test
  void whatNeverDeniesMustNotDeny() {
    assertThat(answer(RequestKind.SHADOW, 429, CheckAnswer.STORE).fault(true))
        .contains("SHADOW was answered 429");
    assertThat(answer(RequestKind.FRESH, 429, CheckAnswer.STORE).fault(true))
        .contains("FRESH was answered 429");
  }

  private static CheckAnswer answer(RequestKind kind, int status, String source) {
    return new CheckAnswer(kind, 1000, 1001, 900, status, source);
  }
}
