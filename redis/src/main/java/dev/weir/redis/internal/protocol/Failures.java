package dev.weir.redis.internal.protocol;

import dev.weir.StoreUnavailableException;
import dev.weir.internal.CompletionFailures;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Explains what a failure of the server means and what to change. */
public final class Failures {
  private static final Pattern CONDITION =
      Pattern.compile(
          "\\b(OOM|NOPERM|NOREPLICAS|READONLY|MISCONF|LOADING|BUSY|MASTERDOWN|CLUSTERDOWN|NOAUTH"
              + "|WRONGPASS)\\b");

  private Failures() {}

  /**
   * Makes a failure from the server's error text. Only parts of the text are matched, because it
   * differs between versions.
   */
  static StoreUnavailableException of(String error, KeyNames names) {
    return refused(error, explain(error, names));
  }

  public static StoreUnavailableException of(Throwable thrown, String address, KeyNames names) {
    Throwable cause = unwrap(thrown);
    if (cause instanceof StoreUnavailableException known) {
      return known;
    }
    if (isTimeout(cause)) {
      return new StoreUnavailableException(
          "Redis at " + address + " did not answer in time; permits may have been taken", cause);
    }
    String error = deepest(cause);
    String message = "Redis at " + address + ": " + explain(error, names);
    return cause instanceof RedisCommandExecutionException
        ? refused(error, message)
        : new StoreUnavailableException(message, cause);
  }

  /** Foreign data concerns one key; every other error concerns the whole server. */
  private static StoreUnavailableException refused(String error, String message) {
    return isForeign(error)
        ? StoreUnavailableException.refusedKey(message)
        : StoreUnavailableException.refused(message);
  }

  private static boolean isForeign(String error) {
    return error.contains("WRONGTYPE") || error.contains("FOREIGN");
  }

  /** Whether the server answered, with an error. */
  public static boolean isServerError(Throwable thrown) {
    return unwrap(thrown) instanceof RedisCommandExecutionException;
  }

  public static Throwable unwrap(Throwable thrown) {
    return Objects.requireNonNull(CompletionFailures.unwrap(thrown));
  }

  /** The error code, such as OOM, of an error that concerns the whole server and not one key. */
  public static Optional<String> condition(@Nullable String message) {
    Matcher found = CONDITION.matcher(String.valueOf(message));
    return found.find() ? Optional.of(found.group()) : Optional.empty();
  }

  /** Whether the client had no connection to send a command over, so that it was not sent. */
  public static boolean isNotConnected(Throwable thrown) {
    String message = unwrap(thrown).getMessage();
    return message != null && message.contains("not connected");
  }

  public static boolean isTimeout(Throwable thrown) {
    Throwable cause = unwrap(thrown);
    return cause instanceof RedisCommandTimeoutException || cause instanceof TimeoutException;
  }

  /** Removes the script line and the line break that older servers add to an error. */
  private static String plain(String error) {
    return error.replaceFirst("^@?user_script: ?\\d+: ", "").replaceFirst("^-", "").strip();
  }

  private static String explain(String text, KeyNames names) {
    String error = plain(text);
    if (isForeign(error)) {
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

  /** The ACL rule that allows the commands of the scripts and the connection, and no others. */
  public static String accessRule(KeyNames names) {
    return "ACL SETUSER weir on >PASSWORD resetkeys ~"
        + names.prefix()
        + "* -@all +evalsha +script|load +time +get +set +del +zadd +zcard +zcount +zrange"
        + " +zrevrange +zscore +zrangebyscore +zrem +zremrangebyscore +pexpire +ping +hello +auth"
        + " +info +cluster|nodes +asking";
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
