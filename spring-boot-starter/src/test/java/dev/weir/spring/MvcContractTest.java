package dev.weir.spring;

import dev.weir.testkit.HttpIntegrationContract;

/** Spring MVC on an embedded Tomcat. */
final class MvcContractTest extends HttpIntegrationContract {
  @Override
  protected Application start(Setup setup) {
    return MvcApplication.shared().with(setup);
  }
}
