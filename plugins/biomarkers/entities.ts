import { defineEntity, p } from '@mikro-orm/core';
import type { Marker } from './marker.ts';
import type { BiomarkerEntry } from './schemas.ts';

/** Maps a biomarker: the marker as the book uses it, and the remaining fields of its file. */
export const Biomarker = defineEntity({
  name: 'Biomarker',
  tableName: 'biomarker',
  properties: {
    slug: p.string().primary(),
    name: p.string(),
    marker: p.json<Marker>(),
    entry: p.json<BiomarkerEntry>(),
    body: p.text(),
    digest: p.string(),
  },
});

/** A row of `biomarker`. */
export interface BiomarkerRow {
  readonly slug: string;
  readonly name: string;
  readonly marker: Marker;
  readonly entry: BiomarkerEntry;
  readonly body: string;
  readonly digest: string;
}
