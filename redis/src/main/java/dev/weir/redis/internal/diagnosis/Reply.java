package dev.weir.redis.internal.diagnosis;

import io.lettuce.core.RedisCommandExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The value or the error that a server answered to one command. Failures of the connection are
 * thrown instead.
 *
 * @param value null if the command was refused
 * @param error empty unless it was
 */
record Reply<T>(@Nullable T value, String error) {
  static <T> Reply<T> of(Supplier<T> command) {
    try {
      return new Reply<>(command.get(), "");
    } catch (RedisCommandExecutionException refused) {
      return new Reply<>(null, String.valueOf(refused.getMessage()).strip());
    }
  }

  /** Whether the command is not allowed; ACLs, managed services and old servers word it apart. */
  static boolean isAccessError(String error) {
    return error.contains("NOPERM")
        || error.contains("ACL failure")
        || error.contains("can't run this command")
        || error.contains("can't access");
  }
}
