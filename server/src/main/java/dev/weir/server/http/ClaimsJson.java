package dev.weir.server.http;

import dev.weir.Claim;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** The limits and keys that a call has changed, as its answer lists them. */
public final class ClaimsJson {
  private ClaimsJson() {}

  public static JsonArray of(List<Claim> claims) {
    JsonArray limits = new JsonArray();
    for (Claim claim : claims) {
      limits.add(
          new JsonObject()
              .put("rule", claim.policy().rule())
              .put("name", claim.policy().name())
              .put("key", claim.key()));
    }
    return limits;
  }
}
