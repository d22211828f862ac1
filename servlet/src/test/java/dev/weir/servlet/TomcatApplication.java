package dev.weir.servlet;

import dev.weir.testkit.HttpIntegrationContract.Application;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;

/**
 * A Tomcat with one servlet behind a filter that is mapped to every kind of dispatch, so that one
 * that counted twice would show.
 */
final class TomcatApplication implements Application {
  private static final Logger CONTAINER = Logger.getLogger("org.apache");

  static {
    CONTAINER.setLevel(Level.OFF); // the contract asks for exceptions
  }

  private final Tomcat tomcat = new Tomcat();

  TomcatApplication(Filter filter, Runnable handled) {
    this(filter, handled, 10);
  }

  TomcatApplication(Filter filter, Runnable handled, int threads) {
    tomcat.setBaseDir(new File("target/tomcat-" + ProcessHandle.current().pid()).getAbsolutePath());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.getConnector().setProperty("maxThreads", Integer.toString(threads));
    tomcat.getConnector().setProperty("minSpareThreads", "1");
    Context context = tomcat.addContext("", null);
    Logger.getLogger(context.getLogName()).setLevel(Level.OFF);
    context.addServletContainerInitializer(
        (classes, servlets) -> {
          var registered = servlets.addFilter("weir", filter);
          registered.setAsyncSupported(true);
          registered.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
          var handler = servlets.addServlet("handler", new Handler(handled));
          handler.setAsyncSupported(true);
          handler.addMapping("/");
        },
        null);
    ErrorPage errors = new ErrorPage();
    errors.setLocation("/error-page");
    context.addErrorPage(errors);
    try {
      tomcat.start();
    } catch (LifecycleException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Override
  public URI uri() {
    return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort());
  }

  @Override
  public void close() {
    try {
      tomcat.stop();
      tomcat.destroy();
    } catch (LifecycleException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static final class Handler extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final transient Runnable handled;

    Handler(Runnable handled) {
      this.handled = handled;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      switch (request.getRequestURI()) {
        case "/error-page" -> response.getWriter().write("an error");
        case "/fails" -> {
          handled.run();
          throw new ServletException("as the contract asks");
        }
        case "/forwards" -> request.getRequestDispatcher("/x").forward(request, response);
        case "/later" -> later(request);
        default -> {
          if (request.getDispatcherType() != DispatcherType.ASYNC
              || request.getAttribute("later") == null) {
            handled.run();
          }
          response.getWriter().write("passed");
        }
      }
    }

    /** Answers in an ASYNC dispatch of its own, which comes through the filter again. */
    private void later(HttpServletRequest request) {
      handled.run();
      request.setAttribute("later", true);
      AsyncContext context = request.startAsync();
      context.start(() -> context.dispatch("/answered-later"));
    }
  }
}
