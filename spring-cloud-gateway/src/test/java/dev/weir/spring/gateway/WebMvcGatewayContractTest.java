package dev.weir.spring.gateway;

import dev.weir.testkit.HttpIntegrationContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The filter {@code weir} of the WebMVC server. */
final class WebMvcGatewayContractTest extends HttpIntegrationContract {
  private static ContractGateway gateway;

  @BeforeAll
  static void startGateway() {
    gateway = new ContractGateway(GatewayServer.WEBMVC);
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
