package dev.weir.httpclient;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/**
 * What an answer says of the server's limits. Immutable.
 *
 * <p>The field {@code RateLimit} is read in the form of draft-ietf-httpapi-ratelimit-headers-11
 * ({@code "default";r=50;t=30}) and in that of its successor ({@code "default";a=50;w=30}). What is
 * malformed is left out, item by item; nothing in an answer makes reading it fail.
 *
 * @param items one per limit, in the order of the server
 * @param retryAfter of the field {@code Retry-After}, in seconds or as a date
 */
public record AnswerLimits(List<Item> items, Optional<Duration> retryAfter) {
  private static final DateTimeFormatter DATE = DateTimeFormatter.RFC_1123_DATE_TIME;

  /** The most digits an Integer of a structured field has. */
  private static final int MOST_DIGITS = 15;

  public AnswerLimits {
    items = List.copyOf(items);
  }

  /**
   * One limit.
   *
   * @param name as the server calls it
   * @param remaining how much another request may use
   * @param until when there is more; empty if the server does not say
   */
  public record Item(String name, long remaining, Optional<Duration> until) {}

  /**
   * Reads the fields of an answer.
   *
   * @param now counts for a date in {@code Retry-After} if the answer has no date of its own
   */
  public static AnswerLimits read(HttpHeaders headers, Instant now) {
    List<Item> items =
        headers.allValues("RateLimit").stream()
            .flatMap(value -> RateLimitParser.items(value).stream())
            .toList();
    Instant sent = headers.firstValue("Date").flatMap(AnswerLimits::date).orElse(now);
    return new AnswerLimits(
        items, headers.firstValue("Retry-After").flatMap(value -> retryAfter(value.strip(), sent)));
  }

  private static Optional<Duration> retryAfter(String value, Instant sent) {
    if (value.isEmpty() || !value.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return date(value).map(until -> longest(Duration.ZERO, Duration.between(sent, until)));
    }
    return value.length() > MOST_DIGITS
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds(Long.parseLong(value)));
  }

  private static Optional<Instant> date(String value) {
    try {
      return Optional.of(ZonedDateTime.parse(value, DATE).toInstant());
    } catch (DateTimeParseException malformed) {
      return Optional.empty();
    }
  }

  /**
   * How long to send nothing: as {@link #retryAfter} says, and until no limit is used up any more.
   * Zero if the next request may be sent now.
   */
  public Duration pause() {
    Duration pause = retryAfter.orElse(Duration.ZERO);
    for (Item item : items) {
      if (item.remaining == 0) {
        pause = longest(pause, item.until.orElse(Duration.ZERO));
      }
    }
    return pause;
  }

  /**
   * How far apart to send requests so that what remains lasts until there is more; of several
   * limits, the tightest counts. Zero if the server does not say.
   */
  public Duration spacing() {
    Duration spacing = Duration.ZERO;
    for (Item item : items) {
      if (item.remaining > 0) {
        spacing = longest(spacing, item.until.orElse(Duration.ZERO).dividedBy(item.remaining));
      }
    }
    return spacing;
  }

  private static Duration longest(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
