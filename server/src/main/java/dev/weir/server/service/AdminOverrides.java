package dev.weir.server.service;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What an administrator can change without changing rules: the kill switch, which lets everything
 * pass, and blocks. Safe for many threads.
 */
public final class AdminOverrides implements AdminChange.MutableOverrides {
  private static final System.Logger LOG = System.getLogger(AdminOverrides.class.getName());

  private final BlockedKeys blocks;
  private volatile boolean killed;

  public AdminOverrides(LongSupplier nowMillis) {
    blocks = new BlockedKeys(nowMillis);
  }

  /** All overrides at one instant. */
  public record OverridesSnapshot(boolean killed, List<BlockedKeys.Block> blocks) {
    static final OverridesSnapshot NONE = new OverridesSnapshot(false, List.of());

    /** The same with some changes made. */
    OverridesSnapshot with(Collection<AdminChange> changes) {
      Draft draft = new Draft(this);
      changes.forEach(change -> change.effect().accept(draft));
      return new OverridesSnapshot(draft.killed, List.copyOf(draft.blocks.values()));
    }

    /** All blocks of both, each until the later end; the kill switch is on if it is in one. */
    OverridesSnapshot mergedWith(OverridesSnapshot other) {
      Draft draft = new Draft(this);
      other.blocks.forEach(
          block ->
              draft.blocks.merge(
                  block.key(), block, (a, b) -> a.untilMillis() >= b.untilMillis() ? a : b));
      return new OverridesSnapshot(killed || other.killed, List.copyOf(draft.blocks.values()));
    }
  }

  /** Whether everything is allowed without checking a limit. */
  public boolean killed() {
    return killed;
  }

  public BlockedKeys blocks() {
    return blocks;
  }

  @Override
  public void kill(boolean on) {
    if (killed != on) {
      LOG.log(
          System.Logger.Level.WARNING,
          on ? "the kill switch is on: everything is allowed" : "the kill switch is off");
    }
    killed = on;
  }

  @Override
  public void block(BlockedKeys.Block block) {
    blocks.add(block);
  }

  @Override
  public void unblock(BlockedKeys.Key key) {
    blocks.remove(key);
  }

  public OverridesSnapshot state() {
    return new OverridesSnapshot(killed, blocks.all());
  }

  void replace(OverridesSnapshot next) {
    kill(next.killed());
    blocks.replace(next.blocks());
  }

  /** A state that is being changed. */
  private static final class Draft implements AdminChange.MutableOverrides {
    private final Map<BlockedKeys.Key, BlockedKeys.Block> blocks = new LinkedHashMap<>();
    private boolean killed;

    Draft(OverridesSnapshot state) {
      killed = state.killed();
      state.blocks().forEach(this::block);
    }

    @Override
    public void kill(boolean on) {
      killed = on;
    }

    @Override
    public void block(BlockedKeys.Block block) {
      blocks.put(block.key(), block);
    }

    @Override
    public void unblock(BlockedKeys.Key key) {
      blocks.remove(key);
    }
  }
}
