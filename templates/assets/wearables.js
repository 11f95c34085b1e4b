// What script adds to the wearables' pages: an upload that goes on where its line broke, and the way on once it is read.
const form = document.querySelector('form[data-wearable-upload]');
const SECOND = 1000;
const DAY = 86_400 * SECOND;
// Then every half minute, for twenty minutes in which nothing gets through.
const DELAYS = [0, 1, 3, 5, 10, ...Array(40).fill(30)].map((seconds) => seconds * SECOND);
// A server that takes no parts may still take the form.
const MOST_BEGINNINGS = 5;
// The server tells by a file's start whether it takes the file: that goes alone, the rest in one piece.
const START = 64 * 1024;
const AWAY = 'Paused: the line or the server is away. Trying again.';

const loadLibrary = (source) =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = source;
    script.addEventListener('load', () => resolve(window.tus));
    script.addEventListener('error', reject);
    document.head.append(script);
  });

// Of an answer that says no: why. Null for one that only says that parts are not taken here.
const refusalIn = (answer) => {
  const status = answer?.getStatus() ?? 0;
  if (status < 400 || status >= 500 || status === 404 || status === 405) return null;
  try {
    const { detail } = JSON.parse(answer.getBody());
    return typeof detail === 'string' ? detail : detail[0].msg;
  } catch {
    return null;
  }
};

const page = form && {
  status: form.querySelector('[role="status"]'),
  bar: form.querySelector('progress'),
  start: form.querySelector('button[type="submit"]'),
  cancel: form.querySelector('[data-cancel]'),
};

const tell = (words, percent) => {
  if (page.status.textContent !== words) page.status.textContent = words;
  if (percent !== undefined) page.bar.value = percent;
};

const setBusy = (isBusy) => {
  page.start.disabled = isBusy;
  page.cancel.hidden = !isBusy;
  page.bar.hidden = !isBusy;
};

const end = (words) => {
  setBusy(false);
  tell(words);
};

const uploadInParts = async (tus, file) => {
  // Whether the server ever took it: if not, the plain form is tried.
  let isKnown = false;
  const upload = new tus.Upload(file, {
    endpoint: form.dataset.parts,
    metadata: { filename: file.name, consent: String(form.elements.consent.checked) },
    chunkSize: START,
    retryDelays: DELAYS,
    removeFingerprintOnSuccess: true,
    onUploadUrlAvailable: () => {
      isKnown = true;
    },
    onProgress: (sent, total) => {
      const percent = Math.floor((100 * sent) / Math.max(1, total));
      tell(percent < 100 ? `Uploading: ${percent} %` : 'It has arrived and is being read.', percent);
    },
    onChunkComplete: () => {
      upload.options.chunkSize = Number.POSITIVE_INFINITY;
    },
    // Only "not here" means to begin anew; the library would do so for a server that is away, too.
    onAfterResponse: (request, response) => {
      if (request.getMethod() === 'HEAD' && ![200, 404, 410].includes(response.getStatus())) throw new Error('away');
    },
    onShouldRetry: ({ originalResponse }, attempt) => {
      const status = originalResponse?.getStatus() ?? 0;
      const isAway = status === 0 || status >= 500 || (isKnown && [409, 423, 429].includes(status));
      if (!isAway || (!isKnown && attempt >= MOST_BEGINNINGS)) return false;
      tell(AWAY);
      return true;
    },
    onSuccess: () => location.assign('/wearables/progress'),
    onError: ({ originalResponse }) => {
      const refusal = refusalIn(originalResponse);
      if (refusal === null && !isKnown) form.submit();
      else end(refusal ?? 'The upload has stopped. Press “Upload and read” again: it goes on where it can.');
    },
  });
  page.cancel.onclick = () => {
    end('Cancelled. What had come is deleted.');
    upload.abort(true).catch(() => undefined);
  };
  const [before] = await upload.findPreviousUploads();
  if (before) {
    isKnown = true;
    upload.resumeFromPreviousUpload(before);
  }
  upload.start();
};

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const [file] = form.elements.file.files;
  setBusy(true);
  tell('Uploading');
  try {
    await uploadInParts(await loadLibrary(form.dataset.library), file);
  } catch {
    // Without the library, or without what it needs of the browser.
    form.submit();
  }
});

// Names of files that were not uploaded to their end, as the library keeps them here; those whose time is over go.
const interrupted = () => {
  const names = [];
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith('tus::'))) {
    const { creationTime, metadata } = JSON.parse(localStorage.getItem(key));
    if (Date.now() - Date.parse(creationTime) < DAY) names.push(metadata.filename);
    else localStorage.removeItem(key);
  }
  return names;
};

if (form) {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) end('');
  });
  try {
    const [name] = interrupted();
    if (name) tell(`The upload of ${name} did not end. Choose the same file again: it goes on where it stopped.`);
  } catch {
    // A browser that keeps nothing has nothing to tell.
  }
}

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
