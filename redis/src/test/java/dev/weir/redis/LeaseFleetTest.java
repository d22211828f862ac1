package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.model.AdmissionBound;
import dev.weir.model.AdmissionBound.Admission;
import dev.weir.testkit.ExternalPrograms;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisSentinels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Four processes that lease the same key never exceed the limit over any interval, whatever happens
 * to them: every admission is collected with its time.
 */
@Tag("slow")
@Timeout(300)
final class LeaseFleetTest {
  private static final Path FAKE_TIME =
      Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");

  @TempDir private Path folder;

  private LeaseFleet start(String uri, String limit, int perSecond) throws IOException {
    return LeaseFleet.start(uri, limit, perSecond, folder, member -> Map.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "token-bucket 1500 400 1000",
        "token-bucket 1000 3000 1000",
        "fixed-window 900 0 700",
        "sliding-window 900 0 700"
      })
  void theLimitHoldsOverEveryInterval(String text) throws Exception {
    try (RedisProcess redis = RedisProcess.start();
        LeaseFleet fleet = start(redis.uri(), text, 1000)) {
      Fleet.lasting(Duration.ofSeconds(2));
      fleet.kill(1); // kill -9 of a holder
      Fleet.lasting(Duration.ofSeconds(1));
      fleet.signal("STOP", 2);
      Fleet.lasting(LeaseFleetMember.LEASE.multipliedBy(3));
      fleet.signal("CONT", 2);
      Fleet.lasting(Duration.ofSeconds(2));
      check(text, LeaseFleetMember.limit(text), fleet);
    }
  }

  /** Leases are counted by clocks that nobody sets, and windows by the server's. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "token-bucket 1500 400 1000",
        "fixed-window 900 0 700",
        "sliding-window 900 0 700"
      })
  void clocksThatDifferByAnHourChangeNothing(String text) throws Exception {
    ExternalPrograms.require(Optional.of(FAKE_TIME).filter(Files::exists), "libfaketime");
    List<String> clocks = List.of("+0", "+3600", "-3600", "+1800");
    try (RedisProcess redis = RedisProcess.start();
        LeaseFleet fleet =
            LeaseFleet.start(
                redis.uri(), text, 1000, folder, member -> wallClock(clocks.get(member)))) {
      Duration apart = Duration.between(fleet.clocks().get(2), fleet.clocks().get(1));
      assertThat(apart).isCloseTo(Duration.ofHours(2), Duration.ofMinutes(5));
      Fleet.lasting(Duration.ofSeconds(4));
      check(text, LeaseFleetMember.limit(text), fleet);
    }
  }

  private static Map<String, String> wallClock(String offset) {
    return Map.of(
        "LD_PRELOAD",
        FAKE_TIME.toString(),
        "FAKETIME",
        offset,
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        "FAKETIME_FORCE_MONOTONIC_FIX", // or threads never park
        "0");
  }

  private static void check(String text, Limit limit, LeaseFleet fleet) throws IOException {
    String counts = fleet.stopLoad();
    List<Admission> admissions = fleet.admissions();
    System.out.println(text + ": " + admissions.size() + " admitted; asked, by lease: " + counts);
    assertThat(admissions).isNotEmpty();
    assertThat(AdmissionBound.excess(limit, admissions)).isNotPositive();
  }

  /** A flush forgets what was used, with leases and without: once more the capacity at most. */
  @ParameterizedTest
  @ValueSource(strings = {"token-bucket 1000 600 1000", "fixed-window 600 0 800"})
  void aFlushGivesNoMoreThanOneCapacity(String text) throws Exception {
    try (RedisProcess redis = RedisProcess.start();
        LeaseFleet fleet = start(redis.uri(), text, 800)) {
      Fleet.lasting(Duration.ofSeconds(2));
      try (Admin admin = Admin.of(redis.uri())) {
        admin.flush();
      }
      Fleet.lasting(Duration.ofSeconds(2));
      check(text, afterLosing(LeaseFleetMember.limit(text), Duration.ZERO), fleet);
    }
  }

  /** FAULTS 5: what was taken in the time lost may pass again, leased or not; no more. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "token-bucket 1000 600 1000",
        "fixed-window 600 0 800",
        "sliding-window 600 0 800"
      })
  void aNewMasterAdmitsAgainWhatWasTakenInTheTimeLostAtMost(String text) throws Exception {
    try (RedisSentinels group = RedisSentinels.start();
        LeaseFleet fleet = start(group.uri(), text, 800)) {
      Fleet.lasting(Duration.ofSeconds(2));
      LostTime lost = new LostTime(group.master(), group.replica());
      lost.kill();
      long promoted = LeaseFleet.nowMicros();
      Fleet.lasting(Duration.ofSeconds(6));
      check(text, afterLosing(LeaseFleetMember.limit(text), lost.duration()), fleet);
      assertThat(fleet.admissions())
          .as("admitted by the new master")
          .anyMatch(admission -> admission.beforeMicros() > promoted);
    }
  }

  /** The limit, and once more what it admits in the time lost. */
  private static Limit afterLosing(Limit limit, Duration lost) {
    long again =
        limit.capacity() + 1 + limit.permits() * lost.toMillis() / limit.period().toMillis();
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> ((Limit.TokenBucket) limit).withBurst(limit.capacity() + again);
      case FIXED_WINDOW -> Limit.fixedWindow(limit.capacity() + again, limit.period());
      case SLIDING_WINDOW -> Limit.slidingWindow(limit.capacity() + again, limit.period());
      case SLIDING_LOG, IN_FLIGHT -> throw new IllegalArgumentException("never leased");
    };
  }
}
