package dev.weir.redis;

import dev.weir.internal.Check;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.script.ScriptExecutor;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Texts that all instances share under a name, such as their rules. They are kept in the namespace
 * of the {@linkplain RedisStore#texts store}, and do not expire. Safe for many threads.
 */
public final class SharedTexts {
  private final ScriptExecutor executor;
  private final KeyNames names;
  private final Runnable refuseIfClosed;

  SharedTexts(ScriptExecutor executor, KeyNames names, Runnable refuseIfClosed) {
    this.executor = executor;
    this.names = names;
    this.refuseIfClosed = refuseIfClosed;
  }

  /** The text of this name; empty if there is none. */
  public CompletionStage<Optional<String>> get(String name) {
    return executor.text(keyName(name));
  }

  /** Replaces a text atomically: readers see the old one or the new one. */
  public CompletionStage<Void> put(String name, String text) {
    byte[] bytes = Check.notNull("text", text).getBytes(StandardCharsets.UTF_8);
    return executor.text(keyName(name), bytes).thenAccept(put -> {});
  }

  /**
   * Changes a text unless it has changed since it was read (compare and set). To change a part of a
   * text, read it, change it, and start over if this returns false.
   *
   * @param read what {@link #get} answered
   * @param next the new text; empty removes it
   * @return whether the text was still the one that was read, and is the new one now
   */
  public CompletionStage<Boolean> swap(String name, Optional<String> read, Optional<String> next) {
    return executor.swapText(keyName(name), read, next);
  }

  private String keyName(String name) {
    refuseIfClosed.run();
    return names.ofText(Check.notBlank("name", name));
  }
}
