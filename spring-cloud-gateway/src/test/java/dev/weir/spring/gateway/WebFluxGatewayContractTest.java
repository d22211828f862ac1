package dev.weir.spring.gateway;

import dev.weir.testkit.HttpIntegrationContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The filter {@code Weir} of the WebFlux server. */
final class WebFluxGatewayContractTest extends HttpIntegrationContract {
  private static ContractGateway gateway;

  @BeforeAll
  static void startGateway() {
    gateway = new ContractGateway(GatewayServer.WEBFLUX);
  }

  @AfterAll
  static void stopGateway() {
    gateway.close();
  }

  @Override
  protected Application start(Setup setup) {
    return gateway.with(setup);
  }
}
