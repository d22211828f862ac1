package dev.weir.http;

import dev.weir.Decision;
import dev.weir.HeldPermit;
import dev.weir.Source;
import dev.weir.internal.text.JsonWriter;
import dev.weir.internal.text.KebabCase;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What to answer a request, ready to be copied into any framework's response. Immutable, but for
 * {@link #responded}; safe for many threads.
 *
 * <p>If it is allowed, set the {@link #fields} and let the request pass. If not, answer with {@link
 * #status}, fields, {@link #contentType} and {@link #body}, and nothing else.
 *
 * <p>{@code Weir-Source: fallback} marks an answer that a failure policy gave because the store
 * could not: also one that lets the request pass uncounted.
 */
public final class HttpAnswer {
  /** The field that marks answers of a failure policy. */
  public static final String SOURCE_FIELD = "Weir-Source";

  /** The prefix of the fields whose values are lists of limits. */
  private static final String LISTS = "RateLimit";

  private static final String FALLBACK = KebabCase.of(Source.FALLBACK);
  private static final HttpAnswer UNLIMITED = new HttpAnswer(200, Map.of(), () -> "", null);

  private final int status;
  private final Map<String, String> fields;
  private final Supplier<String> body;
  private final @Nullable Decision decision;
  private final List<HeldPermit> held;
  private final @Nullable ResponseReport report;

  private HttpAnswer(
      int status, Map<String, String> fields, Supplier<String> body, @Nullable Decision decision) {
    this(status, fields, body, decision, List.of(), null);
  }

  private HttpAnswer(
      int status,
      Map<String, String> fields,
      Supplier<String> body,
      @Nullable Decision decision,
      List<HeldPermit> held,
      @Nullable ResponseReport report) {
    this.held = held;
    this.status = status;
    this.fields = Collections.unmodifiableMap(fields);
    this.body = body;
    this.decision = decision;
    this.report = report;
  }

  /** The answer that a decision gives: 200; 429; 503 if it denies only because the store failed. */
  public static HttpAnswer of(Decision decision, RateLimitFields fields) {
    Map<String, String> marked = marked(decision, fields.of(decision));
    if (decision.allowed()) {
      return new HttpAnswer(200, marked, () -> "", decision);
    }
    Problem problem = Problem.of(decision);
    return new HttpAnswer(problem.status(), marked, problem::toJson, decision);
  }

  /** The answer to a request that no limit applies to. */
  static HttpAnswer unlimited() {
    return UNLIMITED;
  }

  /**
   * The answer to a request that was not decided, because the store failed and the failure policy
   * is to fail: 503.
   */
  public static HttpAnswer storeUnavailable() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("Retry-After", "1");
    fields.put("Cache-Control", "no-store");
    fields.put(SOURCE_FIELD, FALLBACK);
    Problem problem = Problem.reducedCapacity(List.of());
    return new HttpAnswer(problem.status(), fields, problem::toJson, null);
  }

  /** The answer to a request with an ambiguous path or an unreadable cost: 400. */
  static HttpAnswer badRequest(String detail) {
    StringBuilder out = new StringBuilder(256);
    new JsonWriter(out)
        .beginObject()
        .member("type", "about:blank")
        .member("title", "Bad Request")
        .member("status", 400)
        .member("detail", detail)
        .endObject();
    return new HttpAnswer(400, Map.of(), out::toString, null);
  }

  /**
   * This answer with the limits of an earlier answer to the same request added to its fields, for a
   * request that passes several limiters.
   */
  public HttpAnswer after(HttpAnswer earlier) {
    Map<String, String> joined = new LinkedHashMap<>(earlier.fields);
    fields.forEach(
        (name, value) ->
            joined.merge(
                name, value, (old, added) -> name.startsWith(LISTS) ? old + ", " + added : added));
    List<HeldPermit> all = Stream.concat(earlier.held.stream(), held.stream()).toList();
    return new HttpAnswer(status, joined, body, decision, all, report);
  }

  /** The same, with slots that are held until the request has ended. */
  HttpAnswer holding(HeldPermit permit) {
    return new HttpAnswer(status, fields, body, decision, List.of(permit), report);
  }

  /** Whether {@link #release} has something to do. */
  public boolean holdsSlots() {
    return !held.isEmpty();
  }

  /**
   * Releases the slots that the request holds where requests in flight are limited. Every
   * integration calls it when the response has ended, however it ended; once is enough. Never waits
   * and never throws.
   */
  public void release() {
    held.forEach(HeldPermit::close);
  }

  /** The same, with a report to call with the response of the application. */
  HttpAnswer with(ResponseReport newReport) {
    return new HttpAnswer(status, fields, body, decision, held, newReport);
  }

  /**
   * Whether {@link #responded} is to be called, because a limit counts only some responses. False
   * for nearly every request.
   */
  public boolean expectsResponse() {
    return report != null;
  }

  /**
   * Reports how the application responded to this request, which was allowed. Limits with {@code
   * count} or {@code give-back} in their rules then give back the permits of responses that do not
   * count.
   *
   * <p>Each integration says it once, for its own answer; a second time has no effect. A request
   * whose response is never known stays counted.
   *
   * @param responseStatus the status as the client gets it
   * @return completes when the permits are back, and does not fail
   */
  public CompletionStage<Void> responded(int responseStatus) {
    return report == null
        ? CompletableFuture.completedFuture(null)
        : report.responded(responseStatus);
  }

  /** What was taken has been given back otherwise. */
  void expectNoResponse() {
    if (report != null) {
      report.end();
    }
  }

  private static Map<String, String> marked(Decision decision, Map<String, String> fields) {
    if (decision.source() != Source.FALLBACK) {
      return fields;
    }
    Map<String, String> marked = new LinkedHashMap<>(fields);
    marked.put(SOURCE_FIELD, FALLBACK);
    return marked;
  }

  /** Whether the request may pass. */
  public boolean allowed() {
    return status == 200;
  }

  /** 200 if allowed, else 429, 503, or 400 for an ambiguous path or an unreadable cost. */
  public int status() {
    return status;
  }

  /** Header fields to set, also on the response to an allowed request; in the order to write. */
  public Map<String, String> fields() {
    return fields;
  }

  /** The type of the body of an answer that is not allowed. */
  public String contentType() {
    return Problem.MEDIA_TYPE;
  }

  /** A problem (RFC 9457) in JSON; empty if allowed. Made at each call. */
  public String body() {
    return body.get();
  }

  /** Empty if no limit applied, or the store failed and the failure policy is to fail. */
  public Optional<Decision> decision() {
    return Optional.ofNullable(decision);
  }

  @Override
  public String toString() {
    return status + " " + fields;
  }
}
