package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestPathTest {
  private static final String[] PIECES = {
    "/", "/", "//", ".", "..", "/../", "/./", "%", "%2", "%2e", "%2E", "%2f", "%36", "%63", "%25",
    "%6C", "%c3%bc", "%zz", "%5c", "%3b", "%2F", "..", "%40", "6", "c", "login", "?", "#", "\\",
    ";", "*", ":", "http://", "\u00fc", "\ud83d", " ", "\0"
  };

  private static final String HIDDEN_DOTS =
      "not have . or .. beside an escaped slash, a backslash or a semicolon";

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
  })
  void dotSegmentsAreRemovedAndNeverAboveTheRoot(String target, String path) {
    assertThat(RequestPath.normalise(target)).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({
    "/%41%7a%30%2D%5f%7E, /Az0-_~",
    "/users/%40me, /users/@me",
    "/%21%24%26%27%28%29%2a%2b%2c%3d%3a, '/!$&''()*+,=:'",
    "/%c3%bc, /%C3%BC",
    "/%20%3f%23%25, /%20%3F%23%25",
    "/%2520, /%2520",
    "/%fc%c0, /%FC%C0",
  })
  void escapesThatMeanTheSameAreDecodedOnceAndOthersKept(String target, String path) {
    assertThat(RequestPath.of(target)).isEqualTo(new RequestPath(path, List.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/api%2Fitems | /api/items | /api%2Fitems",
        "/api%2fitems?q | /api/items | /api%2Fitems",
        "/%2Flogin | /login | /%2Flogin",
        "\\login | /login | /%5Clogin",
        "/a%5cb | /a/b | /a%5Cb",
        "http://host\\login | /login | /%5Clogin",
        "/login;x=1 | /login | /login;x=1",
        "/api;v=2/items;a;b | /api/items | /api;v=2/items;a;b",
        "/;jsessionid=1 | / | /;jsessionid=1",
        "/api/;x | /api/ | /api/;x",
        "/login%3Bx=1 | /login | /login%3Bx=1",
        "/api%3bx/items | /api/items | /api%3Bx/items",
        "/a;b/c%3Bd | /a/c | /a/c%3Bd /a;b/c /a;b/c%3Bd",
        "/a%3Bb%2Fc | /a/c | /a /a%3Bb/c /a%3Bb%2Fc",
        "/a%2Fb/../c | /a/c | /c",
        "/login;x=%2F | /login/ | /login;x=/ /login /login;x=%2F",
        "/a;%2F/b | /a/b | /a;/b /a;%2F/b",
        "/a%2Fb\\c | /a/b/c | /a/b%5Cc /a%2Fb/c /a%2Fb%5Cc",
        "/a;x%2Fb\\c | /a/b/c " + "| /a;x/b/c /a/b%5Cc /a;x/b%5Cc /a /a/c /a;x%2Fb/c /a;x%2Fb%5Cc",
      })
  void aPathThatApplicationsReadDifferentlyHasAllTheirReadings(
      String target, String first, String others) {
    RequestPath path = RequestPath.of(target);
    assertThat(path.text()).isEqualTo(first);
    assertThat(path.otherReadings()).containsExactlyInAnyOrder(others.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/x/..;/login | " + HIDDEN_DOTS,
        "/x/..;a=b/login | " + HIDDEN_DOTS,
        "/x/.;/login | " + HIDDEN_DOTS,
        "/x/..%3B/login | " + HIDDEN_DOTS,
        "/x/%2e%2e;/login | " + HIDDEN_DOTS,
        "/x/..%2Flogin | " + HIDDEN_DOTS,
        "/x%2F../login | " + HIDDEN_DOTS,
        "/x%2f%2e%2e%2flogin | " + HIDDEN_DOTS,
        "/x\\..\\login | " + HIDDEN_DOTS,
        "/x/..%5clogin | " + HIDDEN_DOTS,
        "/a/.%2Fb | " + HIDDEN_DOTS,
        "/%252Flogin | not escape an escape",
        "/x/%252e%252e/login | not escape an escape",
        "/%25252Flogin | not escape an escape",
        "/%255clogin | not escape an escape",
        "/%256cogin | not escape an escape",
        "/%25%36%63ogin | not escape an escape",
        "/%2500 | not escape an escape",
        "/%c0%afx | be shortest UTF-8",
        "/%c0%ae%c0%ae/x | be shortest UTF-8",
        "/%e0%80%afx | be shortest UTF-8",
        "/%F0%80%80%AFx | be shortest UTF-8",
        "/% | have two hexadecimal digits after each %",
        "/%6 | have two hexadecimal digits after each %",
        "/%6?c | have two hexadecimal digits after each %",
        "/%zz | have two hexadecimal digits after each %",
        "/%%36c | have two hexadecimal digits after each %",
        "/%u002Flogin | have two hexadecimal digits after each %",
        "/login%00.css | not have a NUL",
        "/login#f | not have a fragment",
        "/x#/../login | not have a fragment",
        "http://host#/x | not have a fragment",
      })
  void whatNobodyReadsAlikeIsRefused(String target, String rule) {
    assertThatThrownBy(() -> RequestPath.of(target))
        .isInstanceOf(AmbiguousPathException.class)
        .hasMessage("path must " + rule + ", was \"" + target + '"');
  }

  @ParameterizedTest
  @ValueSource(strings = {"/login\0.css", "/\0", "\0"})
  void aNulIsRefusedAlsoIfItIsNotEscaped(String target) {
    assertThatThrownBy(() -> RequestPath.normalise(target))
        .isInstanceOf(AmbiguousPathException.class)
        .hasMessageStartingWith("path must not have a NUL");
  }

  @Test
  void aMessageQuotesATargetSafelyAndShort() {
    assertThatThrownBy(() -> RequestPath.of("/%\r\n\u001b[2J" + "x".repeat(200)))
        .hasMessage(
            "path must have two hexadecimal digits after each %, was \"/%\\u000d\\u000a\\u001b[2J"
                + "x".repeat(92)
                + "...\"");
  }

  @ParameterizedTest
  @CsvSource({
    "'', /",
    "*, /",
    "?q, /",
    "//, /",
    "http://host, /",
    "http://host?q=/x, /",
    "http:///x, /x",
    "a+b-c.1://host/x, /x",
    "1a://host/x, /1a:/host/x",
    "://host/x, /:/host/x",
    "http:/x, /http:/x",
    "/http://host/x, /http:/host/x",
    "host:443, /host:443",
  })
  void everyTargetHasAPath(String target, String path) {
    assertThat(RequestPath.normalise(target)).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/a", "/a/b/", "/.well-known/x", "/...", "/a.b/..c", "/\u00fc", "/*"})
  void aPathThatNeedsNothingIsReturnedItself(String path) {
    assertThat(RequestPath.normalise(path)).isSameAs(path);
  }

  @Test
  void aReadingOfAPathIsAPathAndItsOwnReading() {
    long seed = Long.getLong("weir.seed", 1);
    System.out.println("RequestPathTest seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 200_000; i++) {
      String target = target(random);
      for (String path : readings(target)) {
        assertThat(readings(path)).as("of %s", target).contains(path);
        assertThat(path).startsWith("/").doesNotContain("//", "/../", "/./", "?", "#", "\\");
        assertThat(path).doesNotEndWith("/.").doesNotEndWith("/..");
      }
    }
  }

  /** None if the target is refused. */
  private static List<String> readings(String target) {
    try {
      RequestPath path = RequestPath.of(target);
      List<String> readings = new ArrayList<>(List.of(path.text()));
      readings.addAll(path.otherReadings());
      return readings;
    } catch (AmbiguousPathException refused) {
      return List.of();
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
