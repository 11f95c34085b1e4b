import { membersAt } from './members.ts';
import type { NameFile, NameSink } from './name-sink.ts';
import { rrfRows } from './rrf-rows.ts';

/** Term types: ingredient, precise ingredient (a salt), several ingredients, brand name. */
const TYPES = ['IN', 'PIN', 'MIN', 'BN'] as const;
type ConceptType = (typeof TYPES)[number];

interface Concept {
  readonly type: ConceptType;
  readonly name: string;
}

interface Concepts {
  readonly byId: ReadonlyMap<string, Concept>;
  /** Other names, by concept. */
  readonly synonyms: readonly (readonly [rxcui: string, name: string])[];
}

type Links = ReadonlyMap<string, ReadonlySet<string>>;

const isType = (type: string): type is ConceptType => (TYPES as readonly string[]).includes(type);

/** Reads RXNCONSO (RXCUI 0, LAT 1, SAB 11, TTY 12, STR 14, SUPPRESS 16): only RxNorm's own, current names. */
const readConcepts = async (rows: AsyncIterable<readonly string[]>, sink: NameSink): Promise<Concepts> => {
  const byId = new Map<string, Concept>();
  const synonyms: [string, string][] = [];
  for await (const cells of rows) {
    const [rxcui = '', language] = cells;
    const [source, type = '', name = '', suppress = 'N'] = [cells[11], cells[12], cells[14], cells[16]];
    if (source !== 'RXNORM' || language !== 'ENG' || suppress !== 'N' || !/^\d+$/.test(rxcui) || !name) continue;
    if (isType(type)) byId.set(rxcui, { type, name });
    else if (type === 'SY') synonyms.push([rxcui, name]);
    else continue;
    sink.row();
  }
  return { byId, synonyms };
};

const RELATIONS = /^(?:tradename_of|has_tradename|form_of|has_form|part_of|has_part)$/;

/** Reads RXNREL (RXCUI1 0, RXCUI2 4, RELA 7, SAB 10). The file has both directions, and the types distinguish them. */
const readLinks = async (rows: AsyncIterable<readonly string[]>, concepts: Concepts['byId']): Promise<Links> => {
  const links = new Map<string, Set<string>>();
  for await (const cells of rows) {
    const [a = '', b = ''] = [cells[0], cells[4]];
    if (cells[10] !== 'RXNORM' || !RELATIONS.test(cells[7] ?? '') || !concepts.has(a) || !concepts.has(b)) continue;
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const known = links.get(from);
      if (known) known.add(to);
      else links.set(from, new Set([to]));
    }
  }
  return links;
};

/**
 * Maximum number of ingredients. RxNorm's largest combination has fewer; more means a damaged file, in which each name would get
 * all ingredients.
 */
const MOST_INGREDIENTS = 500;

/**
 * Returns a memoized function that reads the ingredients of salts and combinations, because thousands of brand names share one.
 */
const ingredientsBehind = ({ byId }: Concepts, links: Links): ((id: string) => readonly string[]) => {
  const known = new Map<string, readonly string[]>();
  return (id) => {
    const found =
      known.get(id) ??
      [...(links.get(id) ?? [])].flatMap((to) => {
        const { type, name } = byId.get(to)!;
        return type === 'IN' ? [name] : [];
      });
    known.set(id, found);
    return found;
  };
};

/**
 * Returns the names of a concept's ingredients: its own, or those to which it is linked; [] if there are more than a medicine
 * has.
 */
const ingredientsOf = (
  rxcui: string,
  { byId }: Concepts,
  { links, behind }: { readonly links: Links; readonly behind: (id: string) => readonly string[] },
): readonly string[] => {
  const own = byId.get(rxcui);
  if (own?.type === 'IN') return [own.name];
  const linked = [...(links.get(rxcui) ?? [])].map((id) => ({ id, ...byId.get(id)! }));
  const of = (type: ConceptType) => linked.filter((concept) => concept.type === type);
  const found = new Set(of('IN').map(({ name }) => name));
  if (!found.size)
    for (const { id } of [...of('PIN'), ...of('MIN')]) {
      if (behind(id).length > MOST_INGREDIENTS) return [];
      for (const name of behind(id)) found.add(name);
      if (found.size > MOST_INGREDIENTS) return [];
    }
  return found.size > MOST_INGREDIENTS ? [] : [...found].sort();
};

const KINDS = { IN: 'generic', PIN: 'also', MIN: 'generic', BN: 'brand' } as const;

const emit = (concepts: Concepts, links: Links, sink: NameSink): void => {
  const network = { links, behind: ingredientsBehind(concepts, links) };
  let unlinked = 0;
  for (const [rxcui, { type, name }] of concepts.byId) {
    const ingredients = ingredientsOf(rxcui, concepts, network);
    if (ingredients.length) sink.name({ nameKey: rxcui, name, kind: KINDS[type], ingredients, rxcui, onMarket: true });
    else unlinked += 1;
  }
  for (const [rxcui, name] of concepts.synonyms) {
    if (concepts.byId.get(rxcui)?.type !== 'IN') continue;
    const ingredients = ingredientsOf(rxcui, concepts, network);
    sink.name({ nameKey: `${rxcui}|${name}`, name, kind: 'also', ingredients, rxcui: '', onMarket: true });
  }
  if (unlinked)
    sink.notes.push(
      `${unlinked} brand names, salts and combinations were left out: RXNREL.RRF names no ingredient for them`,
    );
};

/** NLM's RxNorm: ingredients with their RxCUIs, salts, brand names. */
export const rxnorm: NameFile = {
  id: 'rxnorm',
  summary: "NLM's RxNorm release (folder or ZIP with RXNCONSO.RRF and RXNREL.RRF)",
  async read(path, sink, signal) {
    const [names] = await membersAt(path, /(?:^|\/)RXNCONSO\.RRF(?:\.gz)?$/i);
    if (!names) return;
    const conso = { path, member: names, name: 'RXNCONSO.RRF', fields: 17 };
    const concepts = await readConcepts(rrfRows(conso, sink, signal), sink);
    const [relations] = await membersAt(path, /(?:^|\/)RXNREL\.RRF(?:\.gz)?$/i).catch(() => []);
    if (!relations || relations.name === names.name) return emit(concepts, new Map(), sink);
    const rel = { path, member: relations, name: 'RXNREL.RRF', fields: 11 };
    emit(concepts, await readLinks(rrfRows(rel, sink, signal), concepts.byId), sink);
  },
};
