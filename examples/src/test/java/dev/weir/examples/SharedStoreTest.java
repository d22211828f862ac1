package dev.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spi.LimitStore;
import dev.weir.testkit.RedisProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/**
 * Instances over one real Redis share their limits, and an instance that starts anew inherits them.
 */
final class SharedStoreTest {
  private static final Logger CONTAINER = Logger.getLogger("org.apache");

  static {
    CONTAINER.setLevel(Level.OFF); // it warns of threads that outlive an application on purpose
  }

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void twoInstancesHaveOneLimitAndAThirdInheritsIt() throws Exception {
    try (RedisProcess redis = RedisProcess.start()) {
      Passed passed;
      try (LimitStore one = SharedStore.open(redis.uri());
          LimitStore two = SharedStore.open(redis.uri());
          TomcatExample first = new TomcatExample(0, AddressDefence.filter(one));
          TomcatExample second = new TomcatExample(0, AddressDefence.filter(two))) {
        passed = passed(70, first).and(passed(70, second));
      }
      try (LimitStore three = SharedStore.open(redis.uri());
          TomcatExample third = new TomcatExample(0, AddressDefence.filter(three))) {
        passed = passed.and(passed(10, third));
      }
      // On a busy machine an answer may miss its deadline: such a request passes, and says so.
      assertThat(passed.counted).isLessThanOrEqualTo(100);
      assertThat(passed.counted + passed.uncounted).isGreaterThanOrEqualTo(100);
    }
  }

  @Test
  void aClientThatKeepsToTheLimitsGetsItsAnswers() throws Exception {
    try (RedisProcess redis = RedisProcess.start();
        LimitStore store = SharedStore.open(redis.uri());
        TomcatExample server = new TomcatExample(0, AddressDefence.filter(store))) {
      PoliteClient polite = new PoliteClient();
      URI uri = URI.create("http://127.0.0.1:" + server.port() + "/");
      for (int i = 0; i < 5; i++) {
        assertThat(polite.get(uri)).isEqualTo("hello\n");
      }
    }
  }

  private record Passed(int counted, int uncounted) {
    Passed and(Passed other) {
      return new Passed(counted + other.counted, uncounted + other.uncounted);
    }
  }

  private Passed passed(int requests, TomcatExample server) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/")).build();
    Passed passed = new Passed(0, 0);
    for (int i = 0; i < requests; i++) {
      HttpResponse<Void> answer = client.send(request, BodyHandlers.discarding());
      boolean uncounted = answer.headers().firstValue("Weir-Source").isPresent();
      if (answer.statusCode() == 200) {
        passed = passed.and(uncounted ? new Passed(0, 1) : new Passed(1, 0));
      }
    }
    return passed;
  }
}
