// Brings the drawing of the graph, which weighs more than the rest of the site together. On a wide screen that is not
// told to save data it comes by itself, once its room is in view and the page is idle; elsewhere when a reader asks for
// it. The table of the page says the same without it.
(() => {
  const stage = document.querySelector('.graph-stage');
  if (!stage) return;
  const [ask, status, canvas] = ['graph-ask', 'graph-status', 'graph-canvas'].map((id) => document.getElementById(id));
  const wide = matchMedia('(min-width: 62rem)');
  const savesData = () => navigator.connection?.saveData || matchMedia('(prefers-reduced-data: reduce)').matches;
  const startsItself = () => wide.matches && !savesData();

  const loaded = new Map();
  /** A script of our own address, once; after a failure it may be asked for again. */
  const load = (src) => {
    const known = loaded.get(src);
    if (known) return known;
    const coming = new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement('script'), { src, onload: resolve, onerror: reject });
      document.head.append(script);
    });
    coming.catch(() => loaded.delete(src));
    loaded.set(src, coming);
    return coming;
  };
  const graph = async () => {
    const reply = await fetch(stage.dataset.graph);
    if (!reply.ok) throw new Error(String(reply.status));
    return reply.json();
  };

  let isUnderWay = false;
  const draw = async () => {
    if (isUnderWay) return;
    isUnderWay = true;
    // The room is taken before anything is asked for, so that nothing moves when the drawing comes.
    stage.classList.add('is-open');
    stage.classList.remove('is-waiting');
    status.textContent = 'The drawing is on its way.';
    try {
      const { library, drawing } = stage.dataset;
      const [nodes] = await Promise.all([graph(), load(library), load(drawing)]);
      drawGraph(nodes);
    } catch {
      isUnderWay = false;
      stage.classList.add('is-waiting');
      status.textContent = 'The drawing could not be loaded. The table below says the same in words.';
    }
  };

  const whenIdle = (task) =>
    'requestIdleCallback' in globalThis ? requestIdleCallback(task, { timeout: 3000 }) : setTimeout(task, 200);
  const inView = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    inView.disconnect();
    whenIdle(() => (startsItself() ? void draw() : arm()));
  });
  /** Waits for the view or for the reader, whichever this screen is for. */
  const arm = () => {
    if (isUnderWay) return;
    stage.classList.toggle('is-waiting', !startsItself());
    if (startsItself()) inView.observe(canvas);
    else inView.disconnect();
  };

  ask.addEventListener('click', () => {
    // The button goes: what it brings takes the focus.
    canvas.tabIndex = 0;
    void draw();
    canvas.focus({ preventScroll: true });
  });
  wide.addEventListener('change', arm);
  arm();
})();
