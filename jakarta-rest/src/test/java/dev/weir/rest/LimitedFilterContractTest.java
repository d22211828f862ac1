package dev.weir.rest;

import dev.weir.RateLimiter;
import dev.weir.http.HttpLimiter;
import dev.weir.rules.RuleSet;
import dev.weir.testkit.HttpIntegrationContract;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;

/** The filter in Jersey, on Tomcat. */
final class LimitedFilterContractTest extends HttpIntegrationContract {
  @Override
  protected Application start(Setup setup) {
    RuleSet rules = RuleSet.parse("contract", setup.rules());
    HttpLimiter limiter =
        HttpLimiter.byRules(() -> rules, RateLimiter.forClaims(setup.store())).build();
    return new JerseyApplication(new ServletAddressFilter(limiter), new Resource(setup.handled()));
  }

  /** The handlers of the contract. */
  @Path("/")
  @Limited
  public static final class Resource {
    private final Runnable handled;

    Resource(Runnable handled) {
      this.handled = handled;
    }

    @GET
    @Path("{any: .*}")
    @Produces("text/plain")
    public String any() {
      handled.run();
      return "passed";
    }

    @GET
    @Path("fails")
    public String fails() {
      handled.run();
      throw new IllegalStateException("as the contract asks");
    }

    @GET
    @Path("later")
    @Produces("text/plain")
    public void later(@Suspended AsyncResponse response) {
      handled.run();
      new Thread(() -> response.resume("passed")).start();
    }
  }
}
