package dev.weir.redis.internal.protocol;

import dev.weir.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** Says in plain words what a failure of the server means and what to change. */
public final class Failures {
  private Failures() {}

  /** A failure whose text came from the server; texts differ between versions, so by containing. */
  static StoreUnavailableException of(String error, KeyNames names) {
    return StoreUnavailableException.refused(explain(error, names));
  }

  public static StoreUnavailableException of(Throwable thrown, String address, KeyNames names) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    if (cause instanceof StoreUnavailableException known) {
      return known;
    }
    if (isTimeout(cause)) {
      return new StoreUnavailableException(
          "Redis at " + address + " did not answer in time; permits may have been taken", cause);
    }
    String message = "Redis at " + address + ": " + explain(deepest(cause), names);
    return cause instanceof RedisCommandExecutionException
        ? StoreUnavailableException.refused(message)
        : new StoreUnavailableException(message, cause);
  }

  public static boolean isTimeout(Throwable cause) {
    return cause instanceof RedisCommandTimeoutException || cause instanceof TimeoutException;
  }

  private static String explain(String error, KeyNames names) {
    if (error.contains("WRONGTYPE") || error.contains("FOREIGN")) {
      return "a key that starts with " + names.prefix() + " holds data that is not ours: " + error;
    }
    if (error.contains("NOPERM")) {
      return error + ". This access rule is enough: " + accessRule(names);
    }
    if (error.contains("WRONGPASS") || error.contains("invalid username-password")) {
      return error + ". Check the user and the password of the address";
    }
    if (error.contains("NOAUTH")) {
      return error + ". Put the password into the address: redis://user:password@host:port";
    }
    if (error.contains("OOM")) {
      return error + ". Raise maxmemory: limits cannot be counted without room for their keys";
    }
    return error;
  }

  /** The commands the scripts and the connection use, and nothing else. */
  static String accessRule(KeyNames names) {
    return "ACL SETUSER weir on >PASSWORD resetkeys ~"
        + names.prefix()
        + "* -@all +evalsha +script|load +time +get +set +del +zadd +zcard +zcount +zrange"
        + " +zrevrange +zrangebyscore +zrem +zremrangebyscore +pexpire +ping +hello +auth +info"
        + " +client";
  }

  private static String deepest(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof ClosedChannelException) {
      return "the connection was closed before the server had answered";
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
