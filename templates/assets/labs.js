// What script adds to the lab pages: word of an upload under way, and the way on once a report is read.
const form = document.querySelector('form[data-upload]');
form?.addEventListener('submit', () => {
  const status = form.querySelector('[role="status"]');
  const button = form.querySelector('button[type="submit"]');
  status.textContent = 'Uploading. Reading follows at once and takes up to a minute for a picture.';
  // Not before the form's own data has been taken.
  setTimeout(() => {
    button.disabled = true;
  });
  addEventListener('pageshow', () => {
    button.disabled = false;
    status.textContent = '';
  });
});

const STAGES = {
  opening: 'Opening the file',
  text: 'Reading the text',
  letters: 'Reading letters off the picture',
  values: 'Finding values',
};
const LOOK_AFTER = 1500;

const waiting = document.querySelector('.lab-progress');
if (waiting) {
  const [stage, bar] = [waiting.querySelector('#stage'), waiting.querySelector('progress')];
  const look = async () => {
    try {
      const answer = await fetch(waiting.dataset.status, { headers: { Accept: 'application/json' } });
      if (answer.ok) {
        const { state, progress } = await answer.json();
        if (state === 'ready' || state === 'none') {
          location.replace(waiting.dataset.results);
          return;
        }
        const words = STAGES[progress?.stage];
        const page = progress?.pages ? `: page ${progress.page} of ${progress.pages}` : '';
        if (words && stage.textContent !== words + page) stage.textContent = words + page;
        if (progress?.pages) {
          bar.max = progress.pages;
          bar.value = progress.page;
        }
      }
    } catch {
      // No answer now: the next look may have one.
    }
    setTimeout(look, LOOK_AFTER);
  };
  setTimeout(look, LOOK_AFTER);
}
