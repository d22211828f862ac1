package dev.weir.spring.internal.web.mvc;

import dev.weir.http.HttpAnswer;
import dev.weir.servlet.WeirFilter;
import dev.weir.spring.internal.web.DenialAnswer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers a request whose handler called a method that was denied, or that could not be decided, as
 * a limited request is answered.
 */
public final class DenialExceptionResolver implements HandlerExceptionResolver {
  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception thrown) {
    HttpAnswer answer = DenialAnswer.of(thrown);
    if (answer == null || response.isCommitted()) {
      return null;
    }
    try {
      write(withEarlier(request, answer), response);
    } catch (IOException clientIsGone) {
      return null;
    }
    return new ModelAndView();
  }

  /** With the limits of the request itself in the fields. */
  private static HttpAnswer withEarlier(HttpServletRequest request, HttpAnswer answer) {
    return request.getAttribute(WeirFilter.ANSWER) instanceof HttpAnswer earlier
        ? answer.after(earlier)
        : answer;
  }

  private static void write(HttpAnswer answer, HttpServletResponse response) throws IOException {
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    answer.fields().forEach(response::setHeader);
    response.setStatus(answer.status());
    response.setContentType(answer.contentType());
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
