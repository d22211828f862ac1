package dev.weir.examples;

import dev.weir.redis.RedisStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A gateway with one request that never ends, to be killed: arguments are the store and a tenant.
 */
public final class ModelGatewayProcess {
  private ModelGatewayProcess() {}

  public static void main(String[] arguments) throws IOException {
    RedisStore store = RedisStore.connect(arguments[0]);
    ModelGateway gateway = new ModelGateway(store, Duration.ofSeconds(2));
    boolean allowed =
        gateway.ask(arguments[1], 40, 960, List.of("an", "answer").iterator()).isPresent();
    System.out.println(allowed ? "holding" : "denied");
    System.in.read(); // until it is killed
  }
}
