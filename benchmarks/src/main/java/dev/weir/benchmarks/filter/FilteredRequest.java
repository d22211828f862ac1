package dev.weir.benchmarks.filter;

import com.sun.management.ThreadMXBean;
import dev.weir.benchmarks.report.MedianAndRange;
import dev.weir.benchmarks.report.ProbeProcess;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One allowed request through one filter, or the bare decision inside it: CPU time of the thread,
 * which other programs disturb less than the time that passes.
 */
final class FilteredRequest {
  private static final int WARM_UP = 400_000;
  private static final int BATCHES = 9;
  private static final int BATCH = 100_000;

  private FilteredRequest() {}

  /** Runs {@link FilterProbe} for one contender in a fresh JVM; returns nanoseconds per request. */
  static double nanos(FilterContender contender) throws IOException, InterruptedException {
    // Compiling on the measured thread: else a busy machine never gets to it.
    return ProbeProcess.run(FilterProbe.class, contender.name(), "-Xmx512m", "-Xbatch");
  }

  static String inWords() {
    return "%,d requests in batches of %,d after %,d to warm up"
        .formatted(BATCHES * BATCH, BATCH, WARM_UP);
  }

  /** Prints the CPU time of one request in nanoseconds: the median of some batches. */
  static final class FilterProbe {
    private final PlainRequest request = new PlainRequest();
    private final PlainResponse response = new PlainResponse();
    private final FilterContender contender;
    private long passed;

    private FilterProbe(FilterContender contender) {
      this.contender = contender;
    }

    public static void main(String[] arguments) throws IOException, ServletException {
      System.out.println(new FilterProbe(FilterContender.valueOf(arguments[0])).nanos());
    }

    private double nanos() throws IOException, ServletException {
      Runnable decision = contender.decision();
      Filter filter = decision == null ? contender.filter() : null;
      run(decision, filter, WARM_UP);
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      List<Double> batches = new ArrayList<>();
      for (int i = 0; i < BATCHES; i++) {
        long start = threads.getCurrentThreadCpuTime();
        run(decision, filter, BATCH);
        batches.add((double) (threads.getCurrentThreadCpuTime() - start) / BATCH);
      }
      if (filter != null && passed != WARM_UP + (long) BATCHES * BATCH) {
        throw new IllegalStateException(contender + " has denied a request");
      }
      return MedianAndRange.of(batches).median();
    }

    private void run(Runnable decision, Filter filter, int requests)
        throws IOException, ServletException {
      for (int i = 0; i < requests; i++) {
        if (decision == null) {
          filter.doFilter(request.renewed(), response.renewed(), (on, out) -> passed++);
        } else {
          decision.run();
        }
      }
    }
  }

  /**
   * A request without a container, so that only the filter is measured. It answers what a filter
   * asks; anything else fails.
   */
  static final class PlainRequest extends HttpServletRequestWrapper {
    static final String ADDRESS = "192.0.2.1";
    static final String PATH = "/api/items/42";
    static final String AGENT = "curl/8.5.0";

    private final Map<String, Object> attributes = new HashMap<>();

    PlainRequest() {
      super(
          (HttpServletRequest)
              Proxy.newProxyInstance(
                  PlainRequest.class.getClassLoader(),
                  new Class<?>[] {HttpServletRequest.class},
                  (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.toString());
                  }));
    }

    /** As if it were the next request. */
    PlainRequest renewed() {
      attributes.clear();
      return this;
    }

    @Override
    public DispatcherType getDispatcherType() {
      return DispatcherType.REQUEST;
    }

    @Override
    public String getMethod() {
      return "GET";
    }

    @Override
    public String getRequestURI() {
      return PATH;
    }

    @Override
    public String getRemoteAddr() {
      return ADDRESS;
    }

    @Override
    public @Nullable String getRemoteUser() {
      return null;
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
      return Collections.enumeration(
          name.equalsIgnoreCase("User-Agent") ? List.of(AGENT) : List.of());
    }

    @Override
    public @Nullable Object getAttribute(String name) {
      return attributes.get(name);
    }

    @Override
    public void setAttribute(String name, Object value) {
      attributes.put(name, value);
    }
  }

  /** A response without a container: it keeps fields. A denial fails, for want of a body. */
  static final class PlainResponse extends HttpServletResponseWrapper {
    private final Map<String, String> fields = new HashMap<>();

    PlainResponse() {
      super(
          (HttpServletResponse)
              Proxy.newProxyInstance(
                  PlainResponse.class.getClassLoader(),
                  new Class<?>[] {HttpServletResponse.class},
                  (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.toString());
                  }));
    }

    /** As if it were the next response. */
    PlainResponse renewed() {
      fields.clear();
      return this;
    }

    @Override
    public void setHeader(String name, String value) {
      fields.put(name, value);
    }
  }
}
