// Only improves: each page works without it.

// A key in the address goes at once: it stays neither in the history nor in what is sent along as the page before.
const address = new URL(location.href);
window.givenKey = address.searchParams.get('key') ?? '';
if (address.searchParams.has('key')) {
  address.searchParams.delete('key');
  history.replaceState(null, '', address);
}

const copyButton = (block) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy-button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const { textContent } = block.querySelector('code');
    button.textContent = await navigator.clipboard.writeText(textContent).then(
      () => 'Copied',
      () => 'Select and copy',
    );
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  return button;
};

window.offerCopies = (part) => {
  if (!navigator.clipboard) return;
  for (const block of part.querySelectorAll('.code-block'))
    if (!block.querySelector('button')) block.prepend(copyButton(block));
};
window.offerCopies(document);

// A sandbox key is made in place: it comes as JSON, and is put into the page and nowhere else.
const problemOf = ({ detail, hint }) =>
  Array.isArray(detail) ? detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join('; ') : (hint ?? detail);

const showKey = (form, { key, example }) => {
  const made = form.parentElement.querySelector('.made-key');
  made.querySelector('code').textContent = key;
  const call = made.querySelector('.made-call code');
  if (call) call.textContent = example;
  made.hidden = false;
  form.hidden = true;
  for (const code of document.querySelectorAll('.codes [data-language="curl"] code'))
    code.textContent = code.textContent.replaceAll('$EKB_KEY', key);
  made.tabIndex = -1;
  made.focus();
};

for (const form of document.querySelectorAll('form[data-sandbox]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const problem = form.querySelector('.form-problem');
    const fields = new FormData(form);
    const body = Object.fromEntries([...fields].filter(([, value]) => value !== ''));
    try {
      const reply = await fetch(form.action, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...body, accept_terms: body.accept_terms === 'true' }),
        referrerPolicy: 'no-referrer',
      });
      const answer = await reply.json();
      if (reply.ok) return showKey(form, answer);
      problem.textContent = problemOf(answer);
    } catch {
      problem.textContent = 'The service did not answer. Please try again.';
    }
    problem.hidden = false;
  });
}
