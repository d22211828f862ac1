package dev.weir.server.http;

import io.vertx.core.http.HttpHeaders;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The value of the {@code Date} field, made anew once a second. Safe for many threads. */
final class DateField {
  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private volatile Cached cached = new Cached(Long.MIN_VALUE, "");

  private record Cached(long second, CharSequence text) {}

  CharSequence at(long millis) {
    long second = Math.floorDiv(millis, 1000);
    Cached known = cached;
    if (known.second != second) {
      known =
          new Cached(
              second,
              HttpHeaders.createOptimized(IMF_FIXDATE.format(Instant.ofEpochSecond(second))));
      cached = known;
    }
    return known.text;
  }
}
