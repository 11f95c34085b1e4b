/** The rules with which the HTML of every page is validated. */
import { HtmlValidate } from 'html-validate';

export const htmlRules = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
  rules: {
    // This server provides every style sheet and script itself, under a name that contains the digest of its content.
    'require-sri': 'off',
    // On phones, tables are styled as blocks, which removes their table semantics; explicit roles restore them.
    'no-redundant-role': 'off',
  },
});
