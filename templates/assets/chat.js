// Asks as a stream and shows what comes, sources first; without it the same form brings the page of the answer.
(() => {
  const RETRY_MS = 3000;
  const TRIES = 5;
  const STAGES = {
    retrieving: 'Looking for sources …',
    reranking: 'Putting the sources in order …',
    generating: 'Writing …',
    verifying: 'Checking each claim …',
  };
  const byId = (id) => document.getElementById(id);
  const make = (tag, text = '', className = '') => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (className) element.className = className;
    return element;
  };
  const link = (href, text) => {
    const element = make('a', text);
    // Only addresses of the web: whatever a source says, no other scheme.
    if (/^(https?:\/\/|\/)/.test(href)) element.href = href;
    return element;
  };

  // What is said to be wrong goes as JSON and is thanked for in place.
  addEventListener('submit', async (event) => {
    const form = event.target;
    if (!form.matches('.wrong-form')) return;
    event.preventDefault();
    const data = new FormData(form);
    const body = { ...Object.fromEntries(data), reasons: data.getAll('reasons') };
    const said = form.querySelector('.wrong-said');
    const headers = { 'Content-Type': 'application/json' };
    const reply = await fetch(form.action, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => null);
    if (reply?.ok) said.textContent = 'Thank you. It will be looked at.';
    else if (reply?.status === 429) said.textContent = 'Too many at once: please wait a minute and send it again.';
    else said.textContent = 'That did not arrive. Please try again later.';
  });

  const form = byId('ask');
  if (!form) return;
  const [exchange, earlier, status] = [byId('exchange'), byId('earlier'), byId('ask-status')];
  const stopButton = byId('ask-stop');
  const history = [];
  let stopping = null;
  // The question that is being answered.
  let now = null;
  // One that was sent while a stop had not ended yet.
  let next = null;

  // What only listeners need, as the page shows it elsewhere, is hidden: a line that grows would move what is read.
  const say = (text, heard = '') => {
    status.textContent = text;
    if (heard) status.append(make('span', ` ${heard}`, 'hidden'));
  };

  // What is being asked, so that a page that is loaded again goes on. Gone from the browser when the answer is there.
  const ASKING = 'asking';
  const note = (asking) => {
    try {
      if (asking) sessionStorage.setItem(ASKING, JSON.stringify(asking));
      else sessionStorage.removeItem(ASKING);
    } catch {
      // Without storage a page that is loaded again begins anew.
    }
  };
  const noted = () => {
    try {
      return JSON.parse(sessionStorage.getItem(ASKING) ?? 'null');
    } catch {
      return null;
    }
  };

  // Blocks of an event stream, as they come.
  async function* eventsOf(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop();
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        if (fields.event) yield { id: fields.id, name: fields.event, data: JSON.parse(fields.data) };
      }
    }
  }

  const refusal = async (reply) => {
    const seconds = Number(reply.headers.get('Retry-After'));
    const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds || 60} seconds`;
    if (reply.status === 429) return `Too many questions at once. Please wait ${wait}, then ask again.`;
    const { detail } = await reply.json().catch(() => ({}));
    const text = Array.isArray(detail) ? detail.map(({ msg }) => msg).join('. ') : detail;
    return text || 'That did not work. Please try again.';
  };

  const sourceLine = ({ n, title, url, quality_tier, year }) => {
    const item = document.createElement('li');
    item.value = n;
    const name = make('p', '', 'cited-title');
    name.append(link(url, title));
    item.append(name, make('p', `Tier ${quality_tier}${year ? `, ${year}` : ''}`, 'cited-facts'));
    return item;
  };

  // The same parts in the same order as the whole answer that takes their place.
  const show = (question) => {
    const [page, pageHead, head] = [
      make('div', '', 'answer-page'),
      make('header', '', 'page-head'),
      make('h2', question),
    ];
    head.className = 'question';
    head.tabIndex = -1;
    const today = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
    pageHead.append(make('p', 'You asked', 'label'), head, make('p', `Asked on ${today}.`, 'note'));
    const [found, written] = [make('section', '', 'answer-sources'), make('section', '', 'answer-text')];
    const [sources, text, answerHead] = [make('ol', '', 'cited'), make('p', '', 'streamed'), make('h2', 'Answer')];
    const sourcesHead = make('h2');
    found.append(sourcesHead, sources);
    written.append(answerHead, text);
    found.hidden = true;
    written.hidden = true;
    page.append(pageHead, found, written);
    exchange.replaceChildren(page);
    byId('examples').hidden = true;
    head.focus({ preventScroll: true });
    status.parentElement.scrollIntoView();
    return { asked: head, found, sourcesHead, sources, written, answerHead, text, raw: '' };
  };

  const remember = ({ question, summary, answer, permalink }) => {
    history.push(
      { role: 'user', content: question },
      { role: 'assistant', content: (summary || answer).slice(0, 4000) },
    );
    history.splice(0, history.length - 10);
    return { question, permalink };
  };

  // The whole answer comes as the server draws it, the same as its page: one template, escaped there.
  const showWhole = async ({ answer_id, permalink }, { asked, answerHead }) => {
    const reply = await fetch(`/answers/${answer_id}`).catch(() => null);
    const whole = reply?.ok
      ? new DOMParser().parseFromString(await reply.text(), 'text/html').getElementById('answer')
      : null;
    if (!whole) {
      if (permalink) exchange.append(link(permalink, 'The whole answer, with its sources'));
      return;
    }
    const isHere = exchange.contains(document.activeElement);
    const wasAt = answerHead.getBoundingClientRect().top;
    const isReading = Boolean(answerHead.offsetParent) && asked.getBoundingClientRect().bottom < 0;
    const answer = document.importNode(whole, true);
    answer.querySelector('.crumbs')?.remove();
    const head = answer.querySelector('h1');
    const second = make('h2', head.textContent, 'question');
    second.tabIndex = -1;
    head.replaceWith(second);
    exchange.replaceChildren(answer);
    if (isHere) second.focus({ preventScroll: true });
    if (answer.dataset.emergency === 'yes') return exchange.scrollIntoView();
    // Who reads the text already keeps the place.
    const answerNow = answer.querySelector('#the-answer');
    if (isReading && answerNow) scrollBy({ top: answerNow.getBoundingClientRect().top - wasAt, behavior: 'instant' });
  };

  const SURE = { high: 'high', moderate: 'moderate', low: 'low', very_low: 'very low' };
  const sayReady = (answer) => {
    if (answer.refusal?.emergency) return say('Get help now; the text below says how.', answer.refusal.emergency);
    // Without sources there is nothing to be sure of: an interaction is graded on its own.
    const sure = answer.citations.length ? ` How sure: ${SURE[answer.confidence]}.` : '';
    if (answer.status === 'answered') return say('The answer is ready.', `${answer.summary}${sure}`);
    if (answer.status === 'refused') return say('This is not answered here; the reason stands below.');
    return say('Not enough evidence for an answer.', answer.summary);
  };

  const finish = async (answer, parts, last) => {
    await showWhole(answer, parts);
    sayReady(answer);
    if (last.seen?.permalink) {
      const item = make('li');
      item.append(link(last.seen.permalink, last.seen.question));
      earlier.querySelector('ul').prepend(item);
      earlier.hidden = false;
    }
    last.seen = remember(answer);
  };

  // The connection alone may break and come back: only this ends the work on the server, and nothing of it is kept.
  const cancel = (id) =>
    fetch(`/answers/${id.split('/')[0]}/delete`, {
      method: 'POST',
      redirect: 'manual',
      keepalive: true,
      body: new URLSearchParams(),
    }).catch(() => null);
  const stopNow = (place) => {
    place.cancelled = cancel(place.id);
    stopping.abort();
    return false;
  };

  const last = { seen: null };
  // Answers true when the stream came to its end.
  const follow = async (reply, parts, place) => {
    for await (const { id, name, data } of eventsOf(reply.body)) {
      if (id && !place.id) note({ body: place.body, id: id.replace(/\d+$/, '0') });
      place.id = id || place.id;
      if (place.isUnwanted && place.id) return stopNow(place);
      if (name === 'status') say(STAGES[data.stage] ?? '');
      if (name === 'sources') {
        const { length } = data.citations;
        parts.sources.replaceChildren(...data.citations.map(sourceLine));
        parts.sourcesHead.textContent = `${length} ${length === 1 ? 'source' : 'sources'}`;
        parts.found.hidden = !length;
      }
      if (name === 'delta') {
        parts.written.hidden = false;
        parts.raw += data.text;
        parts.text.textContent = parts.raw.replaceAll('**', '').replace(/^- /gm, '• ');
      }
      if (name === 'final') {
        stopButton.hidden = true;
        await finish(data, parts, last);
      }
      if (name === 'error' || name === 'session_lost') place.giveUp('The answer broke off. Please ask again.');
      if (name === 'done' || name === 'session_lost') return true;
    }
    return false;
  };

  const send = (body, lastEventId) =>
    fetch('/chat/ask/stream', {
      method: 'POST',
      signal: stopping.signal,
      headers: { 'Content-Type': 'application/json', ...(lastEventId && { 'Last-Event-ID': lastEventId }) },
      body: JSON.stringify(body),
    });

  const ask = async (body, id = '') => {
    const [parts, place] = [show(body.question), { id, body, isUnwanted: false, cancelled: null }];
    now = place;
    // Where nothing came, the question stands ready in its box to be asked again.
    const giveUp = (text) => {
      say(text);
      if (!parts.found.hidden || parts.raw) return;
      exchange.replaceChildren();
      form.elements.question.focus();
    };
    place.giveUp = giveUp;
    say(id ? 'Going on …' : 'Asking …');
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (tries) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      const reply = await send(body, place.id).catch(() => null);
      if (reply && !reply.ok) return giveUp(await refusal(reply));
      if (reply && (await follow(reply, parts, place).catch(() => false))) return;
      if (stopping.signal.aborted) {
        // Until then the next question would be one too many.
        await place.cancelled;
        return giveUp('Stopped before the answer was whole.');
      }
      // Before its first event nothing is known of it: asking twice would count twice.
      if (!place.id) break;
      say('The connection broke. Going on …');
    }
    giveUp('The connection broke. Please ask again.');
  };

  const begin = async (body, id) => {
    if (stopping) {
      // Two at once would be one too many; what is being stopped makes room in a moment.
      if (!now?.isUnwanted) return;
      next = body;
      return say('Stopping; then your question is asked …');
    }
    stopping = new AbortController();
    stopButton.hidden = false;
    await ask(body, id).finally(() => {
      stopButton.hidden = true;
      stopping = null;
      note(null);
    });
    const waiting = next;
    next = null;
    if (waiting) await begin(waiting);
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const question = form.elements.question.value.trim();
    const about = form.elements.about?.value;
    const agreed = form.elements.model_consent?.checked === true;
    if (question.length >= 3)
      await begin({ question, ...(about && { about }), ...(agreed && { model_consent: true }), history: [...history] });
  });
  stopButton.addEventListener('click', () => {
    form.elements.question.focus();
    if (!stopping) return;
    if (next) say('Stopping …');
    next = null;
    if (stopping.signal.aborted) return;
    now.isUnwanted = true;
    // Before its first event it has no name to stop it by.
    if (now.id) stopNow(now);
    else say('Stopping …');
  });

  const goOn = async ({ body, id } = {}) => {
    if (!body?.question || !id) return;
    form.elements.question.value = body.question;
    await begin(body, id);
  };
  goOn(noted() ?? {}).catch(() => note(null));
})();
