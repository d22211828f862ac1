package dev.weir.server.service;

import dev.weir.Claim;
import java.util.List;
import java.util.function.Consumer;

/**
 * One change that an administrator makes: of the kill switch, or of the block of one key.
 *
 * @param target what it changes; of two changes with the same target only the later matters
 */
public record AdminChange(Object target, Consumer<MutableOverrides> effect) {
  private static final String KILL_SWITCH = "kill switch";

  /** What can be changed: the overrides in effect, or a draft of them. */
  public interface MutableOverrides {
    void kill(boolean on);

    void block(BlockedKeys.Block block);

    void unblock(BlockedKeys.Key key);
  }

  public static List<AdminChange> kill(boolean on) {
    return List.of(new AdminChange(KILL_SWITCH, target -> target.kill(on)));
  }

  /**
   * @param untilMillis since 1970, or {@link BlockedKeys#FOREVER}
   */
  public static List<AdminChange> block(List<Claim> claims, long untilMillis) {
    return claims.stream()
        .map(claim -> new BlockedKeys.Block(BlockedKeys.Key.of(claim), untilMillis))
        .map(block -> new AdminChange(block.key(), target -> target.block(block)))
        .toList();
  }

  public static List<AdminChange> unblock(List<Claim> claims) {
    return claims.stream()
        .map(BlockedKeys.Key::of)
        .map(key -> new AdminChange(key, target -> target.unblock(key)))
        .toList();
  }
}
