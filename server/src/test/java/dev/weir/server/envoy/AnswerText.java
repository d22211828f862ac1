package dev.weir.server.envoy;

import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/** Answers in the words of the conformance cases. */
final class AnswerText {
  private AnswerText() {}

  static String of(DescriptorService service, RateLimitCall call) {
    try {
      return of(service.decide(call).toCompletableFuture().join());
    } catch (CompletionException failed) {
      return "ERROR " + failed.getCause().getMessage();
    } catch (InvalidCallException invalid) {
      return "ERROR " + invalid.getMessage();
    }
  }

  private static String of(RateLimitAnswer answer) {
    return code(answer.overLimit())
        + " | "
        + answer.statuses().stream().map(AnswerText::of).collect(Collectors.joining(" ; "));
  }

  private static String of(DescriptorStatus status) {
    if (status.unlimited()) {
      return "OK unlimited";
    }
    if (status.rate() == null) {
      return code(status.overLimit()) + " -";
    }
    return code(status.overLimit())
        + " "
        + status.rate().requests()
        + "/"
        + status.rate().unit()
        + " "
        + status.remaining()
        + " r"
        + status.resetSeconds()
        + status.match().limit().name().map(name -> " name=" + name).orElse("");
  }

  private static String code(boolean over) {
    return over ? "OVER_LIMIT" : "OK";
  }
}
