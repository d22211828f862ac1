package dev.weir.spring;

import dev.weir.testkit.HttpIntegrationContract;

/** Spring WebFlux on Netty. */
final class WebFluxContractTest extends HttpIntegrationContract {
  @Override
  protected Application start(Setup setup) {
    return WebFluxApplication.shared().with(setup);
  }
}
