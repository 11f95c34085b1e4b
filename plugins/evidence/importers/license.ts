/** Normalizes the licence of an article from the different forms that publishers write. */

const families: readonly (readonly [RegExp, string])[] = [
  [/publicdomain\/zero|\bcc-?0\b|public domain dedication/i, 'CC0'],
  [/publicdomain\/mark/i, 'Public domain'],
];

const creativeCommons = /creativecommons\.org\/licen[sc]es\/(by(?:-(?:nc|nd|sa)){0,2})(?![a-z])/gi;
const shortForm = /(?:\bcc[\s-]?|creative ?commons[\s-]?)(by(?:[\s-](?:nc|nd|sa)){0,2})\b/i;
const inWords =
  /creative commons\W+(?:attribution)((?:[\s,–-]+(?:non[\s-]?commercial|share[\s-]?alike|no[\s-]?deriv\w*)(?:\s+works)?)*)/i;

const named = (elements: string): string => {
  const parts = elements.toLowerCase();
  const suffix = [
    /nc|non[\s-]?commercial/.test(parts) ? '-NC' : '',
    /nd|no[\s-]?deriv/.test(parts) ? '-ND' : '',
    /sa|share[\s-]?alike/.test(parts) ? '-SA' : '',
  ];
  return `CC BY${suffix.join('')}`;
};

/**
 * Returns "CC BY", "CC BY-NC", "CC BY-NC-ND", "CC BY-SA", "CC0" …, or "" when no licence is stated. An address takes precedence
 * over words; "open access" alone grants no permission.
 */
export const licenseOf = (addresses: readonly string[], type: string, text: string): string => {
  const stated = [...addresses, type, text];
  // When an article links two licences, the stricter (longer) one applies.
  const linked = stated.flatMap((part) => [...part.matchAll(creativeCommons)].map((match) => match[1] ?? ''));
  const address = linked.sort((a, b) => b.length - a.length)[0];
  if (address !== undefined) return named(address);
  const family = stated
    .map((part) => families.find(([pattern]) => pattern.test(part))?.[1])
    .find((name) => name !== undefined);
  if (family !== undefined) return family;
  const words = [type, text].map((part) => shortForm.exec(part)?.[1] ?? inWords.exec(part)?.[1]);
  const found = words.find((part) => part !== undefined);
  return found === undefined ? '' : named(found);
};
