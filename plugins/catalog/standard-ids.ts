/** Ids of an entry in other vocabularies, with the page of each. */
import type { MedicalCode } from 'schema-dts';
import { type Static, Type } from 'typebox';
import type { StandardIds } from '#plugins/vocabulary/index.ts';

export const IdView = Type.Object({ scheme: Type.String(), id: Type.String(), href: Type.String() });
export type IdView = Static<typeof IdView>;

const SCHEMES: readonly { key: keyof StandardIds; scheme: string; address: string }[] = [
  { key: 'unii', scheme: 'UNII', address: 'https://precision.fda.gov/uniisearch/srs/unii/' },
  { key: 'rxcui', scheme: 'RxCUI', address: 'https://mor.nlm.nih.gov/RxNav/search?searchBy=RXCUI&searchTerm=' },
  { key: 'umls_cui', scheme: 'UMLS', address: 'https://uts.nlm.nih.gov/uts/umls/concept/' },
  { key: 'mesh', scheme: 'MeSH', address: 'https://meshb.nlm.nih.gov/record/ui?ui=' },
];

export const idViews = (ids: StandardIds = {}): IdView[] =>
  SCHEMES.flatMap(({ key, scheme, address }) => {
    const id = ids[key];
    return id ? [{ scheme, id, href: `${address}${encodeURIComponent(id)}` }] : [];
  });

/** Builds the ids for JSON-LD. */
export const medicalCodes = (ids: StandardIds = {}): readonly MedicalCode[] =>
  idViews(ids).map(({ scheme, id, href }) => ({
    '@type': 'MedicalCode',
    codingSystem: scheme,
    codeValue: id,
    url: href,
  }));
