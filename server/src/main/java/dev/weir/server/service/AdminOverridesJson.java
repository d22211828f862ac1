package dev.weir.server.service;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Blocks and the kill switch as JSON: as administrators see them, and as instances share them. */
public final class AdminOverridesJson {
  private AdminOverridesJson() {}

  public static JsonObject write(AdminOverrides.OverridesSnapshot state) {
    JsonArray blocks = new JsonArray();
    state.blocks().forEach(block -> blocks.add(write(block)));
    return new JsonObject().put("killSwitch", state.killed()).put("blocks", blocks);
  }

  private static JsonObject write(BlockedKeys.Block block) {
    boolean forever = block.untilMillis() == BlockedKeys.FOREVER;
    return new JsonObject()
        .put("rule", block.key().rule())
        .put("limit", block.key().limit())
        .put("key", block.key().key())
        .put("until", forever ? null : Instant.ofEpochMilli(block.untilMillis()).toString());
  }

  static AdminOverrides.OverridesSnapshot read(String text) {
    JsonObject object = new JsonObject(text);
    JsonArray blocks = object.getJsonArray("blocks", new JsonArray());
    List<BlockedKeys.Block> read =
        IntStream.range(0, blocks.size())
            .mapToObj(place -> block(blocks.getJsonObject(place)))
            .toList();
    return new AdminOverrides.OverridesSnapshot(object.getBoolean("killSwitch", false), read);
  }

  private static BlockedKeys.Block block(JsonObject object) {
    BlockedKeys.Key key =
        new BlockedKeys.Key(
            object.getString("rule"), object.getString("limit"), object.getString("key"));
    String until = object.getString("until");
    return new BlockedKeys.Block(
        key, until == null ? BlockedKeys.FOREVER : Instant.parse(until).toEpochMilli());
  }
}
