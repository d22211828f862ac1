package dev.weir.server.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.LongSupplier;

/** The value of the {@code Date} field, made anew once a second. Safe for many threads. */
final class DateField {
  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final LongSupplier nowMillis;
  private volatile Cached cached = new Cached(Long.MIN_VALUE, "");

  private record Cached(long second, String text) {}

  DateField(LongSupplier nowMillis) {
    this.nowMillis = nowMillis;
  }

  String text() {
    long second = Math.floorDiv(nowMillis.getAsLong(), 1000);
    Cached known = cached;
    if (known.second != second) {
      known = new Cached(second, IMF_FIXDATE.format(Instant.ofEpochSecond(second)));
      cached = known;
    }
    return known.text;
  }
}
