// Builds elements. Everything a client can make up reaches the page as text, never as markup.

export const byId = (id) => document.getElementById(id);

/** An element; children are nodes, or text of any value. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') {
      Object.entries(value).forEach(([event, handler]) => made.addEventListener(event, handler));
    } else if (name === 'class') {
      made.className = value;
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? '' : value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Replaces what an element holds; children as above. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/**
 * Makes the children of a list match its items, and keeps the elements of items that stay, so that
 * focus and selection survive an update.
 */
export function updateList(parent, items, keyOf, create, update) {
  const known = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    let child = known.get(key);
    if (child) {
      known.delete(key);
    } else {
      child = create(item);
      child.dataset.key = key;
    }
    update(child, item);
    if (child === place) {
      place = place.nextElementSibling;
    } else {
      parent.insertBefore(child, place);
    }
  }
  known.forEach((child) => child.remove());
}

/** Facts as a definition list: pairs of a term and a text or node. */
export function showFacts(list, facts) {
  const texts = facts.map(([term, value]) => term + '\u0000' + (value.textContent ?? value));
  if (list.dataset.shown !== texts.join('\u0001')) {
    list.dataset.shown = texts.join('\u0001');
    list.replaceChildren(
      ...facts.flatMap(([term, value]) => [element('dt', {}, term), element('dd', {}, value)]));
  }
}
