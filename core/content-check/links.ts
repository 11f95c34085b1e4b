/** Finds links from a text to other entries, whose targets must exist. */
import { posix } from 'node:path';
import type { ContentFile } from '../plugin.ts';
import { pageOfFile } from '../render/content-links.ts';
import type { LineFinder, Named } from './reviewed.ts';

const LINK = /\]\(([^)\s#]+)(?:#[^)]*)?\)/g;
const ENTRY = /^\/(supplement|condition|article|biomarker)s\/([a-z0-9-]+)$/;

/** Returns the address on this site; links between files are converted to one. Returns "" for other sites. */
const addressOf = (path: string, href: string): string => {
  if (/^[a-z]+:/i.test(href)) return '';
  return href.startsWith('/') ? href : (pageOfFile(posix.join(posix.dirname(path), href)) ?? href);
};

/**
 * Returns the entries that a text links to. A link to a file that has no page becomes a name that no entry offers, and so a
 * finding.
 */
export const linkedIn = (file: ContentFile, body: string, lineAt: (offset: number) => LineFinder): readonly Named[] =>
  [...body.matchAll(LINK)].flatMap(({ 1: href = '', index }): Named[] => {
    const address = addressOf(file.path, href);
    const [, kind, slug] = ENTRY.exec(address) ?? [];
    if (kind) return [{ id: `${kind}:${slug}`, field: 'text', line: lineAt(index) }];
    return address === '' || address.startsWith('/') ? [] : [{ id: href, field: 'text', line: lineAt(index) }];
  });
