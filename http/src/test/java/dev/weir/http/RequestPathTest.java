package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestPathTest {
  private static final String[] PIECES = {
    "/", "/", "//", ".", "..", "/../", "/./", "%", "%2", "%2e", "%2E", "%2f", "%36", "%63", "%25",
    "%6C", "%c3%bc", "%zz", "6", "c", "login", "?", "#", "\\", ";", "*", ":", "http://", "\u00fc",
    "\ud83d", " ", "\0"
  };

  @ParameterizedTest
  @CsvSource({
    "/%6cogin, /login",
    "/%6Cogin, /login",
    "//login, /login",
    "/x/../login, /login",
    "/./login, /login",
    "/x/%2e%2e/login, /login",
    "/x/.%2E/login, /login",
    "/%2e/login, /login",
    "/../../login, /login",
    "/x//../login, /login",
    "http://host/login, /login",
    "HTTPS://user@host:8443//x/../login?q#f, /login",
    "/login?next=/../x, /login",
    "/login#f, /login",
    "login, /login",
  })
  void noSpellingOfAPathSlipsPastItsRule(String target, String path) {
    assertThat(RequestPath.normalise(target)).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b/c/./../../g, /a/g",
    "/mid/content=5/../6, /mid/6",
    "/a/., /a/",
    "/a/.., /",
    "/a/b/.., /a/",
    "/a/b/../, /a/",
    "/.., /",
    "/., /",
    "/a/.../b/.c/..d, /a/.../b/.c/..d",
    "/a/..%2Fb, /a/..%2Fb",
  })
  void dotSegmentsAreRemovedAndNeverAboveTheRoot(String target, String path) {
    assertThat(RequestPath.normalise(target)).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({
    "/%41%7a%30%2D%5f%7E, /Az0-_~",
    "/a%2fb, /a%2Fb",
    "/%c3%bc, /%C3%BC",
    "/%20%3f%23%25, /%20%3F%23%25",
    "/%256c, /%256c",
    "/%, /%",
    "/%6, /%6",
    "/%6?c, /%6",
    "/%zz%6g, /%zz%6g",
    "/%zz%6c, /%zzl",
    "/%%36c, /%%36c",
    "/%6%63, /%6%63",
    "/%6%7e, /%6~",
  })
  void escapesOfUnreservedCharactersAreDecodedOnceAndOthersKept(String target, String path) {
    assertThat(RequestPath.normalise(target)).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({
    "'', /",
    "*, /",
    "?q, /",
    "#f, /",
    "//, /",
    "http://host, /",
    "http://host?q=/x, /",
    "http://host#/x, /",
    "http:///x, /x",
    "a+b-c.1://host/x, /x",
    "1a://host/x, /1a:/host/x",
    "://host/x, /:/host/x",
    "http:/x, /http:/x",
    "/http://host/x, /http:/host/x",
    "host:443, /host:443",
    "\\x\\..\\y, /\\x\\..\\y",
  })
  void everyTargetHasAPath(String target, String path) {
    assertThat(RequestPath.normalise(target)).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/a",
        "/a/b/",
        "/.well-known/x",
        "/...",
        "/a.b/..c",
        "/a%2Fb",
        "/%C3%BC",
        "/%zz",
        "/%",
        "/a;b=c/d",
        "/a\\..\\b",
        "/\u00fc",
        "/*"
      })
  void aPathThatNeedsNothingIsReturnedItself(String path) {
    assertThat(RequestPath.normalise(path)).isSameAs(path);
  }

  @Test
  void thePathOfAPathIsTheSamePath() {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    System.out.println("RequestPathTest seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 200_000; i++) {
      String target = target(random);
      String path = RequestPath.normalise(target);
      assertThat(RequestPath.normalise(path)).as("of %s", target).isEqualTo(path);
      assertThat(path).startsWith("/").doesNotContain("//", "/../", "/./", "?", "#");
      assertThat(path).doesNotEndWith("/.").doesNotEndWith("/..");
    }
  }

  private static String target(Random random) {
    StringBuilder target = new StringBuilder();
    for (int i = random.nextInt(9); i > 0; i--) {
      target.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return target.toString();
  }

  /** Time that grows with the square of the length would show as a test that does not end. */
  @Test
  void aLongTargetCostsNoMoreThanItsLength() {
    assertThat(RequestPath.normalise("/a/..".repeat(1 << 20))).isEqualTo("/");
    assertThat(RequestPath.normalise("/".repeat(1 << 22))).isEqualTo("/");
    assertThat(RequestPath.normalise("/a".repeat(1 << 20) + "/..".repeat(1 << 20))).isEqualTo("/");
  }
}
