package dev.weir.rest;

import dev.weir.testkit.HttpIntegrationContract.Application;
import java.io.File;
import java.net.URI;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** Jersey as the only servlet of a Tomcat. */
final class JerseyApplication implements Application {
  private static final List<Logger> QUIET =
      List.of(Logger.getLogger("org.apache"), Logger.getLogger("org.glassfish"));

  static {
    QUIET.forEach(logger -> logger.setLevel(Level.OFF)); // the contract asks for exceptions
  }

  private final Tomcat tomcat = new Tomcat();

  JerseyApplication(Object... components) {
    tomcat.setBaseDir(new File("target/tomcat-" + ProcessHandle.current().pid()).getAbsolutePath());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", null);
    Logger.getLogger(context.getLogName()).setLevel(Level.OFF);
    ResourceConfig config = new ResourceConfig().registerInstances(components);
    Tomcat.addServlet(context, "jersey", new ServletContainer(config)).setAsyncSupported(true);
    context.addServletMappingDecoded("/*", "jersey");
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
}
