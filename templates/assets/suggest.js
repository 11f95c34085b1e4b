// Names that fit what is typed, below any box that asks for them: a combobox with a list of its own. Without it the box
// searches as before. A chosen name leads to its page; in a box of a form with other fields it only fills the box.
(() => {
  const WAIT_MS = 120;
  const SHORTEST = 2;
  const make = (tag, text = '', className = '') => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (className) element.className = className;
    return element;
  };
  const known = new Map();
  const ask = async (q, kinds, signal) => {
    const address = `/search/suggest?${new URLSearchParams({ q, ...(kinds && { kind: kinds }) })}`;
    const kept = known.get(address);
    if (kept) return kept;
    const reply = await fetch(address, { signal });
    // Over its limit, or away: the box goes on without suggestions.
    const items = reply.ok ? (await reply.json()).items : [];
    if (reply.ok) known.set(address, items);
    return items;
  };

  const optionFor = ({ name, kind_name, note }, id) => {
    const option = make('li', '', 'suggestion');
    option.id = id;
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', 'false');
    const what = [kind_name, note].filter(Boolean).join(', ');
    option.append(make('span', name, 'suggestion-name'), make('span', what, 'suggestion-kind'));
    return option;
  };

  const attach = (input, at) => {
    const { suggest: mode, kinds } = input.dataset;
    const [list, status] = [make('ul', '', 'suggestions'), make('span', '', 'hidden')];
    list.id = `suggestions-${at}`;
    list.hidden = true;
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', 'Suggestions');
    status.setAttribute('role', 'status');
    // A box of the type search may not take the role; it looks and works the same.
    input.type = 'text';
    input.enterKeyHint = mode === 'fill' ? 'next' : 'search';
    const says = { role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': list.id };
    for (const [name, value] of Object.entries({ ...says, autocomplete: 'off', spellcheck: 'false' }))
      input.setAttribute(name, value);
    input.parentElement.append(list, status);

    let items = [];
    let current = -1;
    let waiting = 0;
    let asking = null;
    const mark = (to) => {
      list.children[current]?.setAttribute('aria-selected', 'false');
      current = to;
      const option = list.children[current];
      if (!option) return input.removeAttribute('aria-activedescendant');
      option.setAttribute('aria-selected', 'true');
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    };
    const open = (isOpen) => {
      list.hidden = !isOpen;
      input.setAttribute('aria-expanded', String(isOpen));
      if (!isOpen) mark(-1);
    };
    const close = () => {
      clearTimeout(waiting);
      asking?.abort();
      open(false);
    };
    const choose = ({ name, url }) => {
      close();
      if (mode !== 'fill' && url) return location.assign(url);
      input.value = name;
      if (mode !== 'fill') input.form.requestSubmit();
    };
    const show = (found) => {
      items = found;
      list.replaceChildren(...items.map((item, place) => optionFor(item, `${list.id}-${place}`)));
      current = -1;
      input.removeAttribute('aria-activedescendant');
      status.textContent = items.length ? `${items.length} ${items.length === 1 ? 'suggestion' : 'suggestions'}` : '';
      open(items.length > 0);
    };
    const look = async () => {
      asking?.abort();
      asking = new AbortController();
      const q = input.value.trim();
      if (q.length < SHORTEST || q.length > 100) return show([]);
      const found = await ask(q, kinds, asking.signal).catch(() => null);
      // What was typed meanwhile, or a reader who went on, makes it old.
      if (found && input.value.trim() === q && document.activeElement === input) show(found);
    };

    input.addEventListener('input', () => {
      clearTimeout(waiting);
      waiting = setTimeout(look, WAIT_MS);
    });
    input.addEventListener('blur', close);
    input.form.addEventListener('submit', close);
    const empty = () => {
      input.value = '';
    };
    const step = (by) => {
      // One place more than there are names: the box itself.
      const places = items.length + 1;
      mark(((current + 1 + by + places) % places) - 1);
    };
    input.addEventListener('keydown', (event) => {
      if (event.isComposing || event.ctrlKey || event.metaKey) return;
      const isOpen = !list.hidden;
      const does = {
        ArrowDown: () => (isOpen ? step(1) : void look()),
        ArrowUp: () => isOpen && step(-1),
        Escape: isOpen ? close : empty,
        Enter: () => choose(items[current]),
      };
      if (!does[event.key] || (event.key === 'Enter' && (!isOpen || current < 0))) return;
      event.preventDefault();
      does[event.key]();
    });
    // The box keeps the focus while a finger or the mouse is on the list.
    list.addEventListener('pointerdown', (event) => event.preventDefault());
    list.addEventListener('click', ({ target }) => {
      const item = items[[...list.children].indexOf(target.closest('li'))];
      if (item) choose(item);
    });
    addEventListener('pagehide', close);
  };
  for (const [at, input] of [...document.querySelectorAll('input[data-suggest]')].entries()) attach(input, at);
})();
