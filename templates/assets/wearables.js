// What script adds to the wearables' pages: how far an upload is, and the way on once it is read.
const form = document.querySelector('form[data-wearable-upload]');
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  const [status, bar, button] = [
    form.querySelector('[role="status"]'),
    form.querySelector('progress'),
    form.querySelector('button[type="submit"]'),
  ];
  const fail = () => {
    // The plain form says what is wrong with it.
    form.submit();
  };
  const sending = new XMLHttpRequest();
  sending.open('POST', form.action);
  sending.setRequestHeader('Accept', 'text/html');
  sending.upload.addEventListener('progress', ({ loaded, total }) => {
    const percent = Math.floor((100 * loaded) / Math.max(1, total));
    bar.value = percent;
    const words = percent < 100 ? `Uploading: ${percent} %` : 'It has arrived and is being read.';
    if (status.textContent !== words) status.textContent = words;
  });
  sending.addEventListener('load', () => {
    if (sending.status < 400) location.assign(sending.responseURL);
    else {
      document.open();
      document.write(sending.responseText);
      document.close();
    }
  });
  sending.addEventListener('error', fail);
  button.disabled = true;
  bar.hidden = false;
  sending.send(new FormData(form));
});

const LOOK_AFTER = 1500;
const waiting = document.querySelector('[data-next]');
if (waiting) {
  const [stage, bar] = [waiting.querySelector('#stage'), waiting.querySelector('progress')];
  const look = async () => {
    try {
      const answer = await fetch(waiting.dataset.status, { headers: { Accept: 'application/json' } });
      if (answer.ok) {
        const { reading } = await answer.json();
        if (!reading) {
          location.replace(waiting.dataset.next);
          return;
        }
        const words = reading.records ? `${reading.words}: ${reading.records} records` : reading.words;
        if (stage.textContent !== words) stage.textContent = words;
        if (reading.percent) bar.value = reading.percent;
      }
    } catch {
      // No answer now: the next look may have one.
    }
    setTimeout(look, LOOK_AFTER);
  };
  setTimeout(look, LOOK_AFTER);
}
