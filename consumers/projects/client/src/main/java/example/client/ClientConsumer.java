package example.client;

import dev.weir.FailurePolicy;
import dev.weir.client.RemoteDecision;
import dev.weir.client.WeirClient;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** Asks a service that does not run: the failure policy answers. */
final class ClientConsumer {
  private ClientConsumer() {}

  public static void main(String[] arguments) {
    WeirClient client =
        WeirClient.builder(URI.create("http://127.0.0.1:1"))
            .deadline(Duration.ofSeconds(1))
            .failurePolicy(FailurePolicy.ALLOW)
            .build();
    RemoteDecision decision = client.check(Map.of("user", "ann"));
    System.out.println(decision.allowed() + " " + decision.source());
  }
}
