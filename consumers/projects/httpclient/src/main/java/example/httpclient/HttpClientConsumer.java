package example.httpclient;

import dev.weir.httpclient.AnswerLimits;
import java.net.http.HttpHeaders;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The limits in an answer. */
final class HttpClientConsumer {
  private HttpClientConsumer() {}

  public static void main(String[] arguments) {
    HttpHeaders headers =
        HttpHeaders.of(Map.of("RateLimit", List.of("\"a\";r=0;t=5")), (name, value) -> true);
    System.out.println(AnswerLimits.read(headers, Instant.EPOCH).pause());
  }
}
