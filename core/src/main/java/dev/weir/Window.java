package dev.weir;

import dev.weir.internal.Check;
import java.time.Duration;
import java.time.ZoneId;

/** Where the windows of a {@link Limit.FixedWindow} begin and end. */
public sealed interface Window {
  /** How long one window lasts; for a calendar window, its nominal length. */
  Duration length();

  /** Windows of one length that tile the clock from 1970 on: the same edges for every key. */
  record Aligned(Duration length) implements Window {
    public Aligned {
      Check.period("window", length);
    }
  }

  /** A window that opens with a key's first admission and lasts for one length. */
  record FromFirstUse(Duration length) implements Window {
    public FromFirstUse {
      Check.period("window", length);
    }
  }

  /** Days, weeks or months of a time zone. */
  record Calendar(CalendarUnit unit, ZoneId zone) implements Window {
    public Calendar {
      Check.notNull("unit", unit);
      Check.notNull("zone", zone);
    }

    @Override
    public Duration length() {
      return unit.longest();
    }
  }
}
