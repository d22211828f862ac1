package dev.weir.spring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.testkit.HttpIntegrationContract.Application;
import dev.weir.testkit.HttpIntegrationContract.Setup;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Slots of a request whose client goes away. The clock stands still: no slot is lost by itself. */
final class WebFluxSlotsTest {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);
  private static final Claim SLOT =
      Claim.of(Policy.of("all", "slots", Limit.inFlight(1, Duration.ofSeconds(30))), "");

  private final MemoryStore store = MemoryStore.builder().time(new ManualTime()).build();
  private final AtomicInteger handled = new AtomicInteger();

  @Test
  void aRequestThatIsCancelledReleasesItsSlot() throws IOException {
    String rules =
        """
        rules:
          - name: all
            limits:
              - {name: slots, key: [], limit: 1 at once}
        """;
    try (Application application =
        WebFluxApplication.shared().with(new Setup(rules, store, handled::incrementAndGet))) {
      for (int request = 1; request <= 3; request++) {
        int expected = request;
        try (Socket client = new Socket("127.0.0.1", application.uri().getPort())) {
          client
              .getOutputStream()
              .write("GET /hangs HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
          await().atMost(LONGEST_WAIT).until(() -> handled.get() == expected);
          assertThat(free()).isZero();
        }
        await().atMost(LONGEST_WAIT).until(() -> free() == 1);
      }
    }
  }

  private long free() {
    return RateLimiter.forClaims(store).peek(List.of(SLOT)).remaining();
  }
}
