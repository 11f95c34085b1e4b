/** Kinds of open work on rules and cautions, as `npm run content:check -- --due` counts them. */
export const PENDING = 'professional knowledge pending a source';
export const UNSOURCED = 'caution without an authority';
export const OLD_LABEL = 'label read too long ago';
export const CHANGED_LABEL = 'label changed';
export const UNREAD_SENTENCE = 'label sentence unread';
