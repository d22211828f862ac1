// Finds pages that have all words of the search field, those with a word in the title first.
const field = document.getElementById("search");
const found = document.getElementById("found");
field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
  const score = (entry) => words.filter((word) => entry.title.toLowerCase().includes(word)).length;
  const hits = words.length === 0 ? [] : SEARCH_INDEX.filter((entry) =>
    words.every((word) => (entry.title + " " + entry.text).toLowerCase().includes(word)));
  hits.sort((one, other) => score(other) - score(one));
  found.replaceChildren(...hits.slice(0, 12).map((entry) => {
    const link = document.createElement("a");
    link.href = field.dataset.root + entry.page;
    const at = entry.text.toLowerCase().indexOf(words[0]);
    link.textContent = entry.title;
    link.title = entry.text.slice(Math.max(0, at - 60), at + 120);
    const item = document.createElement("li");
    item.append(link);
    return item;
  }));
});
