package dev.weir.server.service;

import dev.weir.Claim;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What an administrator can change without changing rules: the kill switch, which lets everything
 * pass, and blocks. Safe for many threads.
 */
public final class AdminOverrides {
  private static final System.Logger LOG = System.getLogger(AdminOverrides.class.getName());

  private final BlockedKeys blocks;
  private volatile boolean killed;

  public AdminOverrides(LongSupplier nowMillis) {
    blocks = new BlockedKeys(nowMillis);
  }

  /** All switches at one instant. */
  public record State(boolean killed, List<BlockedKeys.Block> blocks) {}

  /** Whether everything is allowed, and no limit asked. */
  public boolean killed() {
    return killed;
  }

  public BlockedKeys blocks() {
    return blocks;
  }

  public void kill(boolean on) {
    if (killed != on) {
      LOG.log(
          System.Logger.Level.WARNING,
          on ? "the kill switch is on: everything is allowed" : "the kill switch is off");
    }
    killed = on;
  }

  public void block(List<Claim> claims, long untilMillis) {
    claims.forEach(
        claim -> blocks.add(new BlockedKeys.Block(BlockedKeys.Key.of(claim), untilMillis)));
  }

  public void unblock(List<Claim> claims) {
    claims.forEach(claim -> blocks.remove(BlockedKeys.Key.of(claim)));
  }

  public State state() {
    return new State(killed, blocks.all());
  }

  public void replace(State next) {
    kill(next.killed());
    blocks.replace(next.blocks());
  }
}
