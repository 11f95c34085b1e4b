/** Adds to a preview page a script that reloads it after a change, and a banner with the current error. */

export const EVENTS = '/_preview/events';
const SCRIPT = '/_preview/preview.js';
const STYLE = '/_preview/preview.css';

/** The page contains the state that it shows, so that a change before the script connects is detected, too. */
const script = `const shown = document.currentScript.dataset.state;
new EventSource('${EVENTS}').addEventListener('state', ({ data }) => { if (data !== shown) location.reload(); });
`;

const style = `.preview-problem { position: sticky; top: 0; z-index: 10; margin: 0; padding: 12px 16px; border-bottom: 4px solid #8a1c1c; background: #fff4f2; color: #3d0b0b; font: 15px/1.5 system-ui, sans-serif; }
.preview-problem pre { margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.5 ui-monospace, monospace; }
.preview-problem p { margin: 0; }
@media print { .preview-problem { display: none; } }
`;

/** The preview's own files, by address. */
export const PREVIEW_FILES: ReadonlyMap<string, { readonly type: string; readonly text: string }> = new Map([
  [SCRIPT, { type: 'text/javascript; charset=utf-8', text: script }],
  [STYLE, { type: 'text/css; charset=utf-8', text: style }],
]);

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] ?? '');

/** The banner at the top of a page: the error as printed in the terminal, and a note on the page below. */
export interface Banner {
  readonly words: string;
  readonly beneath: string;
}

const bannerOf = ({ words, beneath }: Banner): string =>
  `<div class="preview-problem" role="alert"><strong>This cannot be shown yet</strong><pre>${escaped(words)}</pre><p>${escaped(beneath)}</p></div>`;

/** Returns the page with the script and, in case of an error, the banner. */
export const framed = (html: string, state: string, banner: Banner | null): string => {
  const head = `<link rel="stylesheet" href="${STYLE}"><script src="${SCRIPT}" data-state="${escaped(state)}"></script>`;
  const withHead = html.includes('</head>') ? html.replace('</head>', () => `${head}</head>`) : head + html;
  if (!banner) return withHead;
  const body = /<body[^>]*>/.exec(withHead)?.[0];
  return body ? withHead.replace(body, () => body + bannerOf(banner)) : withHead + bannerOf(banner);
};

/** Returns a minimal page, for when there is no other. */
export const barePage = (title: string, state: string, banner: Banner | null): string =>
  framed(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title></head><body><h1>${escaped(title)}</h1></body></html>\n`,
    state,
    banner,
  );
