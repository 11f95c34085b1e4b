/** Runs inside an audited page (see browser.ts) and measures what cannot be observed from outside. */
/** Returns a 32-bit hash of a text. */
const digestOf = (text) => {
  let digest = 7;
  for (let at = 0; at < text.length; at += 1) digest = (Math.imul(digest, 31) + text.charCodeAt(at)) | 0;
  return digest;
};

/** Attributes whose values do not affect the look of an element: only their presence is part of its shape. */
const WORDS =
  /^(?:href|src|id|for|title|alt|content|datetime|value|name|placeholder|d|x|y|[xy][12]|c[xy]|aria-label.*|aria-describedby)$/;

/** Returns the properties of an element that style sheets can select: its name, its attributes, and whether it is empty. */
const ownShapeOf = (element) => {
  const attributes = [...element.attributes].map(({ name, value }) => (WORDS.test(name) ? name : `${name}=${value}`));
  return `${element.localName} ${attributes.sort().join(' ')} ${element.childNodes.length ? '' : 'empty'}`;
};

/** Returns what style sheets can select by siblings. Cell positions count up to 5, because no style sheet counts further. */
const besideOf = (element) => {
  const { previousElementSibling: before, nextElementSibling: after } = element;
  return `after ${before?.localName} ${before?.className} ${after ? '' : 'last'} ${Math.min(element.cellIndex ?? 0, 5)}`;
};

const hasOwnText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());

globalThis.audit = {
  /**
   * Returns which elements moved without user input, and how far (layout shifts up to 0.001 are ignored); by how many pixels
   * the page is wider than the window; and the first element that is too wide.
   */
  async measure() {
    const moved = [];
    await new Promise((resolve) => {
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries().filter((entry) => entry.value > 0.001))
          moved.push(`${value}, ${sources.map(({ node }) => (node?.outerHTML ?? node?.data ?? '').slice(0, 80))}`);
      }).observe({ type: 'layout-shift', buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0)));
    });
    const tooWide = document.documentElement.scrollWidth - innerWidth;
    const isOutside = (element) => element.getBoundingClientRect().right > innerWidth + 1;
    const widest = tooWide > 0 ? [...document.body.querySelectorAll('*')].find(isOutside) : undefined;
    return { moved, tooWide, widest: widest?.outerHTML.slice(0, 120) ?? '' };
  },
  /**
   * Removes all but the first rows and items of long tables, lists and figures: the time of axe grows with the number of
   * elements, and a hundred rows of one template report the same violation a hundred times.
   */
  leaveOutRepeats() {
    const repeats = 'tbody > tr:nth-child(n+9), :is(ul, ol) > li:nth-child(n+9), svg > :nth-child(n+25)';
    for (const element of document.querySelectorAll(repeats)) element.remove();
  },
  /**
   * Marks the elements in a style context that no previous page had; style sheets cannot distinguish the others from elements
   * with verified colours. Contexts are numbers. Returns the new contexts of visible text.
   */
  markNewPlaces(known) {
    const seen = new Set(known);
    const added = new Set();
    const visit = (element, above) => {
      const place = digestOf(`${above} ${ownShapeOf(element)} ${besideOf(element)}`);
      if (!seen.has(place)) {
        element.dataset.newPlace = '';
        if (hasOwnText(element) && element.checkVisibility({ visibilityProperty: true })) added.add(place);
      }
      for (const child of element.children) visit(child, place);
    };
    visit(document.body, digestOf(document.documentElement.className));
    return [...added];
  },
  /** Returns the id and the link of the focused element, and whether it is visible. */
  focus() {
    const element = document.activeElement;
    const { width, height, top } = element.getBoundingClientRect();
    return { id: element.id, href: element.getAttribute('href'), seen: width > 20 && height > 20 && top >= 0 };
  },
};
