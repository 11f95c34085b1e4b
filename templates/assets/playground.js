// The playground: the key lives in this variable and in its field, and goes with the page.
let key = window.givenKey;
const SHOWN_HEADERS = /^(content-type|ratelimit.*|retry-after|x-ratelimit.*|x-request-id|link|etag)$/;
const LONGEST = 200_000;
const root = () => document.getElementById('playground');

const typedValue = (text, type) => {
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
};

const filled = () =>
  [...root().querySelectorAll('[data-field]')]
    .filter(({ value }) => value !== '')
    .map(({ value, dataset }) => ({
      name: dataset.field,
      place: dataset.place,
      text: value,
      value: typedValue(value, dataset.type),
    }));

const addressOf = (fields) => {
  const path = root().dataset.path.replace(/\{(\w+)\}/g, (whole, name) => {
    const field = fields.find((one) => one.name === name);
    return field ? encodeURIComponent(field.text) : whole;
  });
  const query = fields
    .filter(({ place }) => place === 'query')
    .map(({ name, text }) => `${name}=${encodeURIComponent(text)}`);
  return query.length ? `${path}?${query.join('&')}` : path;
};

const bodyText = () => document.getElementById('p-body')?.value ?? null;

// The same call in the languages of the examples, as plugins/developers/examples/languages.ts writes it.
const single = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const literal = (value) =>
  JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/"([A-Za-z_]\w*)":/g, '$1:')
    .replace(/"((?:[^"\\']|\\.)*)"/g, "'$1'");
const python = (value) =>
  JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/(?<=(?:^|[:[,]) ?)(true|false|null)(?=[,\s\]}]|$)/g, (word) =>
      word === 'null' ? 'None' : word[0].toUpperCase() + word.slice(1),
    );

const parsedBody = () => {
  try {
    return JSON.parse(bodyText());
  } catch {
    return null;
  }
};

const codesOf = () => {
  const { method, base, camel, snake, access, stream } = root().dataset;
  const fields = filled();
  const body = bodyText() === null ? undefined : parsedBody();
  const given = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const address = `"${base}${addressOf(fields)}"`;
  const curl = [
    method === 'GET' ? `curl ${address}` : `curl -X ${method} ${address}`,
    ...(access === 'key' || access === 'admin' ? ['-H "Authorization: Bearer $EKB_KEY"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${single(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
  const sent = [...(fields.length ? [literal(given)] : []), ...(body === undefined ? [] : [literal(body)])].join(', ');
  const named = [
    ...fields.map(({ name, value }) => `${name}=${python(value)}`),
    ...(body === undefined ? [] : [`body=${python(body)}`]),
  ].join(', ');
  const [ts, py] = [`base.${camel}(${sent})`, `base.${snake}(${named})`];
  return {
    curl,
    typescript: [
      "import { env } from 'node:process';",
      "import { EvidenceBase } from './evidence_base.ts';",
      '',
      'const base = new EvidenceBase({ key: env.EKB_KEY });',
      stream ? `for await (const event of ${ts}) console.log(event);` : `console.log(await ${ts});`,
    ].join('\n'),
    python: [
      'import os',
      'from evidence_base import EvidenceBase',
      '',
      'base = EvidenceBase(key=os.environ.get("EKB_KEY"))',
      ...(stream ? [`for event in ${py}:`, '    print(event)'] : [`print(${py})`]),
    ].join('\n'),
  };
};

const showCodes = () => {
  for (const [language, text] of Object.entries(codesOf())) {
    const code = root().querySelector(`[data-language="${language}"] code`);
    if (code) code.textContent = text;
  }
};

const pretty = (text, type) => {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} characters more` : text;
  if (!/json/.test(type) || text.length > LONGEST) return shown;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return shown;
  }
};

const showAnswer = async (reply, milliseconds) => {
  const text = await reply.text();
  document.getElementById('answer').hidden = false;
  document.getElementById('answer-status').textContent =
    `${reply.status} ${reply.statusText}, ${text.length} characters in ${milliseconds} ms`;
  const headers = [...reply.headers]
    .filter(([name]) => SHOWN_HEADERS.test(name))
    .map(([name, value]) => `${name}: ${value}`);
  document.querySelector('#answer-headers code').textContent = headers.join('\n');
  document.querySelector('#answer-body code').textContent = pretty(text, reply.headers.get('content-type') ?? '');
  window.offerCopies(document.getElementById('answer'));
};

const send = async (event) => {
  event.preventDefault();
  const problem = event.target.querySelector('.form-problem');
  problem.hidden = true;
  const body = bodyText();
  if (body !== null && parsedBody() === null) {
    problem.textContent = 'The body is not valid JSON.';
    problem.hidden = false;
    return;
  }
  const began = performance.now();
  try {
    const reply = await fetch(addressOf(filled()), {
      method: root().dataset.method,
      headers: {
        ...(key && { Authorization: `Bearer ${key}` }),
        ...(body !== null && { 'Content-Type': 'application/json' }),
      },
      ...(body !== null && { body }),
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
    await showAnswer(reply, Math.round(performance.now() - began));
  } catch {
    problem.textContent = 'The service did not answer. Please try again.';
    problem.hidden = false;
  }
};

const prepare = () => {
  const form = document.getElementById('send-form');
  const field = document.getElementById('playground-key');
  field.value = key;
  field.addEventListener('input', () => {
    key = field.value.trim();
  });
  form.addEventListener('submit', send);
  form.addEventListener('input', showCodes);
  form.querySelector('button').disabled = false;
  window.offerCopies(root());
};

// Another operation takes the place of this one; the key stays where it is.
const choose = document.querySelector('.choose-operation');
const change = async (event) => {
  event.preventDefault();
  const url = `/developers/playground?operation=${encodeURIComponent(choose.elements.operation.value)}`;
  const reply = await fetch(url);
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  root().replaceWith(document.adoptNode(page.getElementById('playground')));
  history.replaceState(null, '', url);
  prepare();
};
choose.addEventListener('submit', change);
prepare();
