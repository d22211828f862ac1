package dev.weir.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;

/**
 * Checks the links of one page, and makes them links of the site.
 *
 * <p>A link to a page leads to its HTML. A link to any other file or directory of the project
 * becomes plain text, because the sources are not part of the site; it must exist all the same.
 * Addresses of other sites stay as they are, unchecked.
 */
final class PageLinks extends AbstractVisitor {
  private final Path root;
  private final MarkdownPage page;
  private final Map<String, MarkdownPage> pages;
  private final List<String> dead = new ArrayList<>();

  PageLinks(Path root, MarkdownPage page, Map<String, MarkdownPage> pages) {
    this.root = root;
    this.page = page;
    this.pages = pages;
  }

  /** The links that lead nowhere, each with its page. */
  List<String> translate() {
    page.document().accept(this);
    return dead;
  }

  @Override
  public void visit(Link link) {
    visitChildren(link);
    String destination = link.getDestination();
    if (destination.matches("[a-z]+:.*")) {
      return;
    }
    String[] parts = destination.split("#", 2);
    String file = parts[0].isEmpty() ? page.source() : resolve(parts[0]);
    MarkdownPage target = pages.get(file);
    if (target != null) {
      String anchor = parts.length == 2 ? parts[1] : "";
      if (!anchor.isEmpty() && !target.anchors().contains(anchor)) {
        dead.add(page.source() + ": " + destination);
      }
      link.setDestination(page.toRoot() + target.target() + (anchor.isEmpty() ? "" : "#" + anchor));
    } else if (Files.exists(root.resolve(file))) {
      unwrap(link);
    } else {
      dead.add(page.source() + ": " + destination);
    }
  }

  @Override
  public void visit(Image image) {
    boolean isElsewhere = image.getDestination().matches("[a-z]+:.*");
    if (!isElsewhere && !Files.exists(root.resolve(resolve(image.getDestination())))) {
      dead.add(page.source() + ": " + image.getDestination());
    }
  }

  private String resolve(String destination) {
    Path folder = Path.of(page.source()).getParent();
    Path file = folder == null ? Path.of(destination) : folder.resolve(destination);
    return file.normalize().toString();
  }

  private static void unwrap(Link link) {
    Node child = link.getFirstChild();
    while (child != null) {
      Node next = child.getNext();
      link.insertBefore(child);
      child = next;
    }
    link.unlink();
  }
}
