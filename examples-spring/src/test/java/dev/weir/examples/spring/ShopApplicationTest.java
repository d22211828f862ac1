package dev.weir.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.RedisProcess;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two instances on one Redis; one is killed, a third is started: the limits hold. */
final class ShopApplicationTest {
  @Test
  @Tag("slow") // starts three processes
  void instancesComeAndGoAndTheLimitsHold() throws Exception {
    try (RedisProcess redis = RedisProcess.start();
        Instance first = Instance.start(redis);
        Instance second = Instance.start(redis)) {
      assertThat(first.get("/actuator/health").body()).contains("UP");
      int passed = passed(8, first) + passed(8, second);
      assertThat(passed).isEqualTo(16);

      first.kill();
      try (Instance third = Instance.start(redis)) {
        assertThat(passed(5, third) + passed(5, second)).isEqualTo(4);
        HttpResponse<String> denied = third.get("/orders");
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("RateLimit").orElseThrow())
            .startsWith("\"per-address\";r=0;t=");
        assertThat(denied.body()).contains("\"violated-policies\":[\"per-address\"]");
      }
    }
  }

  @Test
  void aCustomerHasOneLimitOnAllInstances() throws Exception {
    try (RedisProcess redis = RedisProcess.start();
        Instance first = Instance.start(redis);
        Instance second = Instance.start(redis)) {
      assertThat(first.post("/orders?customer=ann&items=a,b,c,d,e,f").body())
          .isEqualTo("ann ordered [a, b, c, d, e, f]\n");
      HttpResponse<String> denied = second.post("/orders?customer=ann&items=g,h,i,j,k");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.body()).contains("\"violated-policies\":[\"items-per-customer\"]");
      assertThat(second.post("/orders?customer=ann&items=g,h,i,j").statusCode()).isEqualTo(200);
      assertThat(second.post("/orders?customer=bob&items=a").statusCode()).isEqualTo(200);
    }
  }

  private static int passed(int requests, Instance instance) throws Exception {
    int passed = 0;
    for (int i = 0; i < requests; i++) {
      passed += instance.get("/orders").statusCode() == 200 ? 1 : 0;
    }
    return passed;
  }
}
