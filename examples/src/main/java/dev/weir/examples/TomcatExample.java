package dev.weir.examples;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** A servlet container whose only servlet answers every request, behind a filter. */
final class TomcatExample implements AutoCloseable {
  private final Tomcat tomcat = new Tomcat();

  /**
   * @param port 0 takes a free one
   */
  TomcatExample(int port, Filter filter) {
    tomcat.setBaseDir(new File(System.getProperty("java.io.tmpdir"), "weir-examples").getPath());
    tomcat.setPort(port);
    tomcat.setSilent(true);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context application = tomcat.addContext("", null);
    application.addServletContainerInitializer(
        (classes, context) -> {
          context
              .addFilter("weir", filter)
              .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
          context.addServlet("hello", new Hello()).addMapping("/");
        },
        null);
    try {
      tomcat.start();
    } catch (LifecycleException failed) {
      throw new IllegalStateException(failed);
    }
  }

  int port() {
    return tomcat.getConnector().getLocalPort();
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

  private static final class Hello extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setContentType("text/plain");
      response.getWriter().write("hello\n");
    }
  }
}
