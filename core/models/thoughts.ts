/** Removes the reasoning that some local models write before their reply, as `<think>…</think>`. */

const OPENING = '<think>';
const CLOSING = '</think>';

/** Returns a function that takes the pieces of one reply and returns each without reasoning. */
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
    // White space after the reasoning may arrive in separate pieces.
    held = held.trimStart();
    state = held === '' ? 'after' : 'reply';
    return held;
  };
};
