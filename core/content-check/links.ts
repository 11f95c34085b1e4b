/** Links of a text to other entries, as names that have to be there. */
import { posix } from 'node:path';
import type { ContentFile } from '../plugin.ts';
import { pageOfFile } from '../render/content-links.ts';
import type { LineFinder, Named } from './reviewed.ts';

const LINK = /\]\(([^)\s#]+)(?:#[^)]*)?\)/g;
const ENTRY = /^\/(supplement|condition|article|biomarker)s\/([a-z0-9-]+)$/;

/** An address of the site; links between files become one. Other sites are nobody's entry. */
const addressOf = (path: string, href: string): string => {
  if (/^[a-z]+:/i.test(href)) return '';
  return href.startsWith('/') ? href : (pageOfFile(posix.join(posix.dirname(path), href)) ?? href);
};

/** A link to a file that has no page is a name that nothing offers. */
export const linkedIn = (file: ContentFile, body: string, lineAt: (offset: number) => LineFinder): readonly Named[] =>
  [...body.matchAll(LINK)].flatMap(({ 1: href = '', index }): Named[] => {
    const address = addressOf(file.path, href);
    const [, kind, slug] = ENTRY.exec(address) ?? [];
    if (kind) return [{ id: `${kind}:${slug}`, field: 'text', line: lineAt(index) }];
    return address === '' || address.startsWith('/') ? [] : [{ id: href, field: 'text', line: lineAt(index) }];
  });
