// Draws one node of the graph and what it is tied to, once graph.js has brought this file, the library and the graph.
(() => {
  const canvas = document.getElementById('graph-canvas');
  const byId = (id) => document.getElementById(id);
  const [status, open, back] = [byId('graph-status'), byId('graph-open'), byId('graph-back')];
  const [search, names, kind] = [byId('graph-q'), byId('graph-names'), byId('graph-type')];
  const [severity, tier] = [byId('graph-severity'), byId('graph-tier')];

  const WORDS = {
    supplement: 'supplement',
    condition: 'condition',
    drug: 'medicine',
    biomarker: 'biomarker',
    vertical: 'question',
  };
  const TIES = { evidence: 'sources', asked: 'question', topic: 'question', interaction: 'interaction' };
  const LEFT = ['condition', 'vertical', 'biomarker'];
  const ROW = 25;
  // Where the two sides stand close, the name of the middle has a band of its own above it.
  const BAND = 38;
  let nodes = new Map();
  let ties = new Map();
  let cy;
  let middle = '';
  let shown = [];
  let current = -1;

  const read = (graph) => {
    nodes = new Map(graph.nodes.map((node) => [node.id, node]));
    ties = new Map(graph.nodes.map((node) => [node.id, []]));
    for (const edge of graph.edges) {
      ties.get(edge.source).push({ edge, other: edge.target });
      ties.get(edge.target).push({ edge, other: edge.source });
    }
  };

  const fits = ({ edge, other }) => {
    if (kind.value && nodes.get(other).type !== kind.value) return false;
    if (severity.value && edge.type === 'interaction' && edge.severity !== severity.value) return false;
    if (tier.value && edge.type !== 'interaction' && !tier.value.includes(edge.tier)) return false;
    return true;
  };

  // The heaviest ties of each kind, kinds in turn, so that none pushes out the rest.
  const inTurn = (list, most) => {
    const kinds = [...Map.groupBy(list, ({ other }) => nodes.get(other).type).values()];
    const longest = Math.max(0, ...kinds.map(({ length }) => length));
    const turns = Array.from({ length: longest }, (_, at) => kinds.flatMap((some) => some[at] ?? [])).flat();
    const kept = new Set(turns.slice(0, most));
    return kinds.flat().filter((tie) => kept.has(tie));
  };

  const neighbours = (id) => {
    const heaviest = new Map();
    for (const tie of ties.get(id).filter(fits)) {
      const known = heaviest.get(tie.other);
      if (!known || known.edge.weight < tie.edge.weight) heaviest.set(tie.other, tie);
    }
    const label = ({ other }) => nodes.get(other).label;
    return [...heaviest.values()].sort((a, b) => b.edge.weight - a.edge.weight || (label(a) < label(b) ? -1 : 1));
  };

  // Conditions and questions to the left, supplements and medicines to the right; one kind alone on both sides.
  const sides = (all, most) => {
    const left = all.filter(({ other }) => LEFT.includes(nodes.get(other).type));
    const right = all.filter((tie) => !left.includes(tie));
    if (left.length && right.length) return [inTurn(left, most), inTurn(right, most)];
    const picked = inTurn(all, 2 * most);
    const half = Math.ceil(picked.length / 2);
    return [picked.slice(0, half), picked.slice(half)];
  };

  const isWide = () => canvas.clientWidth >= 640;
  const band = () => (isWide() ? 0 : BAND);

  const placed = (list, sign) => {
    const [least, bend] = isWide() ? [130, 70] : [18, 30];
    return list.map((tie, at) => {
      const row = (at - (list.length - 1) / 2) * ROW;
      const share = list.length > 1 ? row / (((list.length - 1) / 2) * ROW) : 0;
      const x = sign * (least + bend * Math.sqrt(1 - share * share));
      return { ...tie, side: sign < 0 ? 'left' : 'right', x, y: row < 0 ? row - band() : row };
    });
  };

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const style = () => {
    const [ink, paper, soft, neutral] = ['--ink', '--paper', '--soft', '--neutral'].map(colour);
    const [accent, accent2] = [colour('--accent'), colour('--accent-2')];
    const font = getComputedStyle(status).fontFamily;
    const room = Math.max(60, canvas.clientWidth / 2 - (isWide() ? 220 : 62));
    return [
      {
        selector: 'node',
        style: {
          width: 12,
          height: 12,
          label: 'data(label)',
          color: ink,
          'background-color': paper,
          'border-width': 2,
          'border-color': ink,
          'font-family': font,
          'font-size': 13,
          'text-valign': 'center',
          'text-wrap': 'ellipsis',
          'text-max-width': room,
          'text-margin-x': 0,
          'min-zoomed-font-size': 0,
        },
      },
      { selector: '.left', style: { 'text-halign': 'left', 'text-margin-x': -4 } },
      { selector: '.right', style: { 'text-halign': 'right', 'text-margin-x': 4 } },
      { selector: '.supplement', style: { 'background-color': accent, 'border-color': accent, shape: 'ellipse' } },
      { selector: '.condition', style: { shape: 'round-rectangle', 'background-color': ink } },
      {
        selector: '.drug',
        style: { shape: 'diamond', width: 14, height: 14, 'background-color': accent2, 'border-color': accent2 },
      },
      { selector: '.vertical', style: { shape: 'triangle', 'background-color': paper, 'border-color': soft } },
      {
        selector: '.middle',
        style: {
          width: 26,
          height: 26,
          'text-valign': 'top',
          'text-halign': 'center',
          'text-margin-y': -6,
          'font-size': 16,
          'font-weight': 'bold',
          'text-max-width': isWide() ? 220 : canvas.clientWidth - 24,
          'text-background-color': paper,
          'text-background-opacity': 0.85,
          'z-index': 9,
        },
      },
      {
        selector: '.current',
        style: { 'border-width': 4, 'border-color': ink, 'font-weight': 'bold', 'text-max-width': room + 40 },
      },
      { selector: 'edge', style: { width: 1, 'line-color': neutral, 'curve-style': 'straight', opacity: 0.75 } },
      { selector: 'edge.evidence', style: { 'line-color': accent, width: 'data(width)' } },
      { selector: 'edge.interaction', style: { 'line-color': accent2, width: 'data(width)' } },
      { selector: 'edge.moderate', style: { 'line-style': 'dashed' } },
      { selector: 'edge.minor, edge.unknown', style: { 'line-style': 'dotted', 'line-color': soft } },
      { selector: 'edge.lit', style: { opacity: 1, 'line-color': ink, width: 3 } },
    ];
  };

  const widthOf = ({ type, weight, tier: best }) =>
    type === 'interaction' ? Math.max(1, weight - 1.5) : ({ A: 3.5, B: 2.5, C: 1.5 }[best] ?? 1);

  // "Magnesium and sleep" around magnesium is "sleep".
  const shortLabel = (id) => {
    const { label, type } = nodes.get(id);
    const start = `${nodes.get(middle).label} and `;
    return type === 'vertical' && label.startsWith(start) ? label.slice(start.length) : label;
  };

  const draw = () => {
    const all = neighbours(middle);
    const [left, right] = sides(all, Math.floor((canvas.clientHeight - 30 - band()) / ROW));
    shown = [...placed(left, -1), ...placed(right, 1)];
    current = -1;
    const centre = nodes.get(middle);
    const elements = [
      { data: { id: middle, label: centre.label }, position: { x: 0, y: 0 }, classes: `middle ${centre.type}` },
      ...shown.map(({ other, side, x, y }) => ({
        data: { id: other, label: shortLabel(other) },
        position: { x, y },
        classes: `${side} ${nodes.get(other).type}`,
      })),
      ...shown.map(({ edge, other }) => ({
        data: { id: `to ${other}`, source: middle, target: other, width: widthOf(edge) },
        classes: `${edge.type} ${edge.severity ?? ''}`,
      })),
    ];
    if (cy) cy.destroy();
    cy = cytoscape({
      container: canvas,
      elements,
      style: style(),
      layout: { name: 'preset', fit: false },
      zoom: 1,
      pan: { x: canvas.clientWidth / 2, y: (canvas.clientHeight + band()) / 2 },
      userZoomingEnabled: false,
      userPanningEnabled: false,
      boxSelectionEnabled: false,
      autoungrabify: true,
    });
    // The library takes every touch; a finger that moves should scroll the page.
    for (const layer of canvas.querySelectorAll('*')) layer.style.touchAction = 'pan-y';
    cy.on('tap', 'node', ({ target }) => target.id() !== middle && go(target.id()));
    cy.on('mouseover', 'node', () => canvas.classList.add('is-over'));
    cy.on('mouseout', 'node', () => canvas.classList.remove('is-over'));
    open.href = centre.url;
    open.textContent = `Open the page of ${centre.label}`;
    const count =
      shown.length < all.length
        ? `${all.length} neighbours, the ${shown.length} closest drawn`
        : `${all.length} ${all.length === 1 ? 'neighbour' : 'neighbours'}`;
    status.textContent = `${centre.label}, ${WORDS[centre.type]}: ${count}.`;
  };

  const mark = (at) => {
    if (!shown.length) return;
    current = (at + shown.length) % shown.length;
    cy.elements('.current, .lit').removeClass('current lit');
    const { other, edge } = shown[current];
    const node = nodes.get(other);
    cy.getElementById(other).addClass('current');
    cy.getElementById(`to ${other}`).addClass('lit');
    const weight = edge.severity ? `severity ${edge.severity}` : edge.tier ? `best source tier ${edge.tier}` : '';
    status.textContent = `${node.label}, ${WORDS[node.type]}: ${[edge.via ? `sources on ${edge.via.join(', ')}` : TIES[edge.type], weight].filter(Boolean).join(', ')}. ${current + 1} of ${shown.length}. Enter puts it in the middle.`;
    open.href = node.url;
    open.textContent = `Open the page of ${node.label}`;
  };

  const across = () => {
    const from = shown[Math.max(0, current)];
    const others = shown.map((tie, at) => ({ ...tie, at })).filter(({ side }) => side !== from.side);
    const [nearest] = others.sort((a, b) => Math.abs(a.y - from.y) - Math.abs(b.y - from.y));
    if (nearest) mark(nearest.at);
  };

  // The table below, as the server makes it for the new middle.
  let wanted = '';
  const renew = async (address) => {
    wanted = address;
    const reply = await fetch(address).catch(() => null);
    if (!reply?.ok || wanted !== address) return;
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    for (const part of ['h1', '.page-head .answer', 'section[aria-labelledby="table"]']) {
      const [old, fresh] = [document.querySelector(part), page.querySelector(part)];
      if (old && fresh) old.replaceWith(fresh);
    }
    document.title = page.title;
  };

  const show = (id) => {
    middle = id;
    back.disabled = !(history.state?.depth > 0);
    draw();
  };

  const go = (id) => {
    const address = `/graph?${new URLSearchParams({ around: id })}`;
    history.pushState({ around: id, depth: (history.state?.depth ?? 0) + 1 }, '', address);
    show(id);
    void renew(address);
  };

  const begin = history.state?.around ?? canvas.dataset.around;
  addEventListener('popstate', ({ state }) => {
    const id = state?.around ?? begin;
    if (!nodes.has(id)) return;
    show(id);
    void renew(location.pathname + location.search);
  });

  const goBack = () => history.state?.depth > 0 && history.back();
  back.addEventListener('click', goBack);
  canvas.addEventListener('keydown', (event) => {
    const steps = {
      ArrowDown: () => mark(current + 1),
      ArrowUp: () => mark(current < 0 ? -1 : current - 1),
      ArrowLeft: across,
      ArrowRight: across,
      Home: () => mark(0),
      End: () => mark(-1),
      Enter: () => current >= 0 && go(shown[current].other),
      Escape: goBack,
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !steps[event.key]) return;
    event.preventDefault();
    steps[event.key]();
  });

  const fold = (text) =>
    text
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
  const found = (text) => {
    const part = fold(text);
    if (!part) return [];
    const rank = (label) => (label === part ? 0 : label.startsWith(part) ? 1 : label.includes(part) ? 2 : 3);
    return [...nodes.values()]
      .filter((node) => !kind.value || node.type === kind.value)
      .map((node) => ({ node, rank: rank(fold(node.label)) }))
      .filter((hit) => hit.rank < 3)
      .sort((a, b) => a.rank - b.rank || b.node.degree - a.node.degree)
      .map(({ node }) => node);
  };
  search.addEventListener('input', () => {
    names.replaceChildren(
      ...found(search.value)
        .slice(0, 12)
        .map(({ label }) => Object.assign(document.createElement('option'), { value: label })),
    );
  });
  search.form.addEventListener('submit', (event) => {
    const [hit] = found(search.value);
    // What is not among the names is the server's to answer.
    if (search.value && !hit) return;
    event.preventDefault();
    if (hit && hit.id !== middle) go(hit.id);
    canvas.focus();
  });
  for (const filter of [kind, severity, tier]) filter.addEventListener('change', () => middle && draw());

  const leaveScrolling = (event) => canvas.contains(event.target) && event.stopImmediatePropagation();
  addEventListener('touchmove', leaveScrolling, { capture: true, passive: true });

  /** Takes the answer of /graph-data; without the node that the page is about there is nothing to draw. */
  globalThis.drawGraph = (graph) => {
    read(graph);
    document.querySelector('.graph-stage').hidden = !nodes.has(begin);
    if (!nodes.has(begin)) return;
    canvas.tabIndex = 0;
    show(begin);
    let width = canvas.clientWidth;
    new ResizeObserver(() => {
      if (Math.abs(canvas.clientWidth - width) < 2) return;
      width = canvas.clientWidth;
      draw();
    }).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  };

  // The library would write a style element of its own, which the security policy refuses; what it says is in tools.css.
  const mine = document.createElement('meta');
  mine.id = '__________cytoscape_stylesheet';
  document.head.append(mine);
})();
