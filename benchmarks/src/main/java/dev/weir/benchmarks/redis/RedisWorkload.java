package dev.weir.benchmarks.redis;

import java.util.List;

/** What the contenders are asked to do. */
enum RedisWorkload {
  ONE_CALLER("1 caller", 1, 1, false, RedisContender.SINGLE),
  HOT_8("8 callers", 8, 1, false, RedisContender.SINGLE),
  HOT_64("64 callers", 64, 1, false, RedisContender.SINGLE),
  HOT_256("256 callers", 256, 1, false, RedisContender.SINGLE),
  MANY_KEYS("10,000 keys, 64 callers", 64, 10_000, false, RedisContender.SINGLE),
  IN_FLIGHT("async, 256 in flight", 256, 1, true, RedisContender.SINGLE),
  LIMITS_1("limits, 1 caller", 1, 1, false, RedisContender.LIMITS),
  LIMITS_64("limits, 64 callers", 64, 1, false, RedisContender.LIMITS);

  /** Those that all contenders take part in. */
  static final List<RedisWorkload> SHARED =
      List.of(ONE_CALLER, HOT_8, HOT_64, HOT_256, MANY_KEYS, IN_FLIGHT);

  final String title;
  final int callers;
  final int keys;
  final boolean async;
  final List<RedisContender> contenders;

  RedisWorkload(
      String title, int callers, int keys, boolean async, List<RedisContender> contenders) {
    this.title = title;
    this.callers = callers;
    this.keys = keys;
    this.async = async;
    this.contenders = contenders;
  }
}
