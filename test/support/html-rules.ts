/** What the HTML of every page is held against. */
import { HtmlValidate } from 'html-validate';

export const htmlRules = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
  rules: {
    // Every style sheet and script is this server's own, under a name that is the digest of its content.
    'require-sri': 'off',
    // Tables become blocks on a phone, and browsers then forget that they are tables; the roles say so again.
    'no-redundant-role': 'off',
  },
});
