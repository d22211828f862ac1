package dev.weir.server.envoy;

import dev.weir.http.Problem;
import dev.weir.http.RateLimitFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What an answer says besides its statuses: header fields, a body, metadata. Immutable.
 *
 * @param fields the standard fields; null for none
 * @param reference the names of the reference service's three fields; null for none
 * @param sendsBody whether denials have a body
 * @param sendsResetTimes whether statuses have a time
 * @param sendsRequest whether descriptors and denying quotas are sent back as metadata
 */
public record AnswerDetails(
    @Nullable RateLimitFields fields,
    @Nullable ReferenceFields reference,
    boolean sendsBody,
    boolean sendsResetTimes,
    boolean sendsRequest) {

  /** What the fields of the reference service are called. */
  public record ReferenceFields(String limit, String remaining, String reset) {
    /** Of the limit with the least left. */
    private void write(RateLimitAnswer answer, BiConsumer<String, String> fields) {
      DescriptorStatus tightest = null;
      for (DescriptorStatus status : answer.statuses()) {
        boolean shown = status.rate() != null;
        if (shown && (tightest == null || status.remaining() < tightest.remaining())) {
          tightest = status;
        }
      }
      if (tightest != null && tightest.rate() != null) {
        fields.accept(limit, Long.toString(tightest.rate().requests()));
        fields.accept(remaining, Long.toString(tightest.remaining()));
        fields.accept(reset, Long.toString(tightest.resetSeconds()));
      }
    }
  }

  /** Passes on the names and values of fields for the response to the client. */
  public void writeFields(RateLimitAnswer answer, BiConsumer<String, String> out) {
    if (fields != null) {
      fields.write(answer.decision(), out);
    }
    if (reference != null) {
      reference.write(answer, out);
    }
    if (sendsBody && answer.overLimit()) {
      out.accept("Content-Type", Problem.MEDIA_TYPE);
    }
  }

  /** The body of a denial; null for none. */
  public @Nullable String body(RateLimitAnswer answer) {
    return sendsBody && answer.overLimit() ? Problem.of(answer.decision()).toJson() : null;
  }

  /** What the proxy keeps as its dynamic metadata. */
  public Map<String, Object> metadata(RateLimitCall call, RateLimitAnswer answer) {
    Map<String, Object> metadata = answer.metadata();
    if (!sendsRequest) {
      return metadata;
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("domain", call.domain());
    all.put("descriptors", call.descriptors().stream().map(AnswerDetails::entries).toList());
    if (call.hits() > 0) {
      all.put("hitsAddend", call.hits());
    }
    all.put("quotaModeEnabled", answer.statuses().stream().anyMatch(AnswerDetails::isQuota));
    if (!answer.quotaViolations().isEmpty()) {
      all.put("quotaModeViolations", answer.quotaViolations());
    }
    metadata.forEach(all::putIfAbsent);
    return all;
  }

  private static boolean isQuota(DescriptorStatus status) {
    return status.match() != null && status.match().limit().quota();
  }

  private static Map<String, Object> entries(RateLimitCall.Descriptor descriptor) {
    List<String> texts = new ArrayList<>();
    descriptor.entries().forEach(entry -> texts.add(entry.key() + "=" + entry.value()));
    return Map.of("entries", texts);
  }
}
