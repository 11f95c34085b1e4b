/** Runs inside a page that is audited (see browser.ts): what cannot be seen from outside. */
/** A number that stands for a text. */
const digestOf = (text) => {
  let digest = 7;
  for (let at = 0; at < text.length; at += 1) digest = (Math.imul(digest, 31) + text.charCodeAt(at)) | 0;
  return digest;
};

/** Of these attributes the value says nothing of how an element looks: they are told apart by their presence. */
const WORDS =
  /^(?:href|src|id|for|title|alt|content|datetime|value|name|placeholder|d|x|y|[xy][12]|c[xy]|aria-label.*|aria-describedby)$/;

/** What style sheets can tell an element by, of its own: its name, its attributes, and whether it is empty. */
const ownShapeOf = (element) => {
  const attributes = [...element.attributes].map(({ name, value }) => (WORDS.test(name) ? name : `${name}=${value}`));
  return `${element.localName} ${attributes.sort().join(' ')} ${element.childNodes.length ? '' : 'empty'}`;
};

/** And by what is beside it; the place of a cell in its row counts up to the fifth, as style sheets count no further. */
const besideOf = (element) => {
  const { previousElementSibling: before, nextElementSibling: after } = element;
  return `after ${before?.localName} ${before?.className} ${after ? '' : 'last'} ${Math.min(element.cellIndex ?? 0, 5)}`;
};

const hasOwnText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());

globalThis.audit = {
  /**
   * What moved by itself, and how far (fractions of a pixel do not count); by how many pixels the page is wider than the
   * window, and what makes it so.
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
   * Leaves the first rows and entries of long tables, lists and figures: axe's time goes with the number of elements, and
   * a hundred rows of one template have one fault a hundred times.
   */
  leaveOutRepeats() {
    const repeats = 'tbody > tr:nth-child(n+9), :is(ul, ol) > li:nth-child(n+9), svg > :nth-child(n+25)';
    for (const element of document.querySelectorAll(repeats)) element.remove();
  },
  /**
   * Marks the elements that stand in a place which no page before had: style sheets cannot tell them from elements whose
   * colours are known. Places are numbers; those that are new, and whose text can be seen, come back.
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
  /** What has the focus, where it leads, and whether it can be seen. */
  focus() {
    const element = document.activeElement;
    const { width, height, top } = element.getBoundingClientRect();
    return { id: element.id, href: element.getAttribute('href'), seen: width > 20 && height > 20 && top >= 0 };
  },
};
