package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;

/** What the contract of integrations says of answers over HTTP. */
final class AnswerAssertions {
  /** How the types of problems begin. */
  static final String TYPES = "https://iana.org/assignments/http-problem-types#";

  private AnswerAssertions() {}

  static void assertField(HttpResponse<?> answer, String name, String value) {
    assertThat(answer.headers().allValues(name)).as(name).isEqualTo(List.of(value));
  }

  static void assertNoField(HttpResponse<?> answer, String name) {
    assertThat(answer.headers().allValues(name)).as(name).isEmpty();
  }

  /** The body is an object with exactly these members, in this order. */
  static void assertProblem(HttpResponse<String> answer, String type, String title, String policy) {
    assertField(answer, "Content-Type", "application/problem+json");
    assertThat(answer.body().strip())
        .isEqualTo(
            "{\"type\":\""
                + TYPES
                + type
                + "\",\"title\":\""
                + title
                + "\",\"status\":"
                + answer.statusCode()
                + ",\"violated-policies\":[\""
                + policy
                + "\"]}");
  }
}
