// Finds pages that have all words of the search field, those with a word in the title first.
const field = document.getElementById("search");
const found = document.getElementById("found");

function result(entry, words) {
  const link = document.createElement("a");
  link.href = field.dataset.root + entry.page;
  link.textContent = entry.title;
  const at = entry.text.toLowerCase().indexOf(words[0]);
  const place = document.createElement("small");
  place.textContent = entry.text.slice(Math.max(0, at - 30), at + 70);
  const item = document.createElement("li");
  item.append(link, place);
  return item;
}

function nothing() {
  const item = document.createElement("li");
  item.textContent = "No page has all these words.";
  return item;
}

field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
  const score = (entry) => words.filter((word) => entry.title.toLowerCase().includes(word)).length;
  const hits = words.length === 0 ? [] : SEARCH_INDEX.filter((entry) =>
    words.every((word) => (entry.title + " " + entry.text).toLowerCase().includes(word)));
  hits.sort((one, other) => score(other) - score(one));
  found.replaceChildren(...hits.slice(0, 12).map((entry) => result(entry, words)));
  if (words.length > 0 && hits.length === 0) {
    found.append(nothing());
  }
});
