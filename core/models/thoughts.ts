/** Leaves out the thoughts that some local models put before their reply, as `<think>…</think>`. */

const OPENING = '<think>';
const CLOSING = '</think>';

/** Takes the pieces of one reply and answers what of each belongs to the reply. */
export const withoutThoughts = (): ((piece: string) => string) => {
  let state: 'beginning' | 'thinking' | 'after' | 'reply' = 'beginning';
  let held = '';
  return (piece) => {
    if (state === 'reply') return piece;
    held += piece;
    if (state === 'beginning') {
      const text = held.trimStart();
      if (text.length < OPENING.length && OPENING.startsWith(text)) return '';
      if (!text.startsWith(OPENING)) {
        state = 'reply';
        return held;
      }
      state = 'thinking';
    }
    const end = held.indexOf(CLOSING);
    if (state === 'thinking' && end < 0) return '';
    if (state === 'thinking') held = held.slice(end + CLOSING.length);
    // White space after the thoughts may come in pieces of its own.
    held = held.trimStart();
    state = held === '' ? 'after' : 'reply';
    return held;
  };
};
