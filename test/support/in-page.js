/** Runs inside a page that is audited (see browser.ts): what cannot be seen from outside. */
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
  /** What has the focus, where it leads, and whether it can be seen. */
  focus() {
    const element = document.activeElement;
    const { width, height, top } = element.getBoundingClientRect();
    return { id: element.id, href: element.getAttribute('href'), seen: width > 20 && height > 20 && top >= 0 };
  },
};
