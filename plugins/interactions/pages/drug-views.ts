/** Views of all interactions of one medicine, and of one class of medicines. */
import { inSentence } from '#plugins/evidence/index.ts';
import { coverageOfDrugs } from '../book/coverage.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import { byGravity, type DepletionRecord, type RuleRecord } from '../book/rule-record.ts';
import { reaches } from '../checker/person.ts';
import type { Drug, DrugClass } from '../drugs/drug-book.ts';
import { EMPTY, type InteractionView } from './interaction-view.ts';
import { type LineView, severityView } from './rule-view.ts';
import {
  byLine,
  COVERAGE_WORDS,
  capital,
  countOf,
  crumbsOf,
  depletionsFor,
  historyOf,
  pairLine,
} from './view-parts.ts';

export const drugView = (book: InteractionBook, drug: Drug): InteractionView => {
  const parts = drug.ingredients.filter((slug) => slug !== drug.slug);
  const pairs = [drug.slug, ...parts].flatMap((slug) => book.pairsOfDrug(slug));
  const items = pairs.map(pairLine).sort(byLine);
  const title = `${capital(drug.name)}: interactions with supplements`;
  const brands = drug.brands.slice(0, 4).join(', ');
  const answer = items.length
    ? `This base holds ${countOf(items.length, 'interaction')} of supplements and foods with ${drug.name}. Medicines with medicines are not covered here: ask a pharmacist.`
    : `No record of a supplement with ${drug.name} is in our sources. This does not mean that any is safe with it. Ask a pharmacist.`;
  const asked = { type: 'drug', drug, name: drug.name, input: '', matchType: 'exact', confidence: 1 } as const;
  const isDepletion = (record: DepletionRecord): boolean => reaches(book, record, asked);
  return {
    ...EMPTY,
    kind: 'drug',
    crumbs: crumbsOf(capital(drug.name), book.hubOf('drug', drug.slug)),
    title,
    answer: brands
      ? `${answer} It is sold as ${brands}${drug.brands.length > 4 ? ' and under other names' : ''}.`
      : answer,
    severity: items[0] ? items[0].severity : null,
    drug: drug.name,
    about: [
      ...drug.classes.flatMap((slug) => {
        const found = book.drugs.classes.get(slug);
        return found ? [{ name: found.name, href: `/interactions/${book.hubOf('class', slug)}` }] : [];
      }),
      ...(book.subjects.has(drug.slug) && !book.medicineOf(drug.slug)
        ? [{ name: `${capital(drug.name)} as a supplement`, href: `/interactions/${drug.slug}` }]
        : []),
    ],
    lines: [{ title: 'Supplements and foods', note: 'Gravest first.', items }],
    depletions: depletionsFor(book, isDepletion, 'drug'),
    inProducts: book.substancesOf(drug.slug).map(({ name, statement, authority }) => ({
      name,
      statement: statement.trim(),
      source: authority && { name: authority.name, href: authority.address },
    })),
    coverage: COVERAGE_WORDS[coverageOfDrugs(book, parts.length ? parts : [drug.slug])],
    ...historyOf([...new Set(pairs.map(({ applied: [{ rule }] }) => rule)), ...book.depletions.filter(isDepletion)]),
  };
};

/** Returns the class with all wider classes, whose rules apply to it too. */
const widerOf = (book: InteractionBook, slug: string, seen: Set<string> = new Set()): ReadonlySet<string> => {
  if (seen.has(slug)) return seen;
  seen.add(slug);
  for (const parent of book.drugs.classes.get(slug)?.parents ?? []) widerOf(book, parent, seen);
  return seen;
};

export const rulesOfClass = (book: InteractionBook, slug: string): readonly RuleRecord[] => {
  const wider = widerOf(book, slug);
  return book.rules.filter(({ target }) => target.kind === 'class' && wider.has(target.slug)).toSorted(byGravity);
};

export const classView = (book: InteractionBook, drugClass: DrugClass): InteractionView => {
  const rules = rulesOfClass(book, drugClass.slug);
  const members = book.drugs.membersOf(drugClass.slug);
  const items = rules.map(
    (rule): LineView => ({
      name: rule.subject.name,
      href: `/interactions/${rule.subject.slug}#${rule.slug}`,
      severity: severityView(rule.entry.severity),
      text: rule.entry.effect.trim(),
    }),
  );
  const lower = inSentence(drugClass.name);
  const isDepletion = ({ target }: DepletionRecord): boolean =>
    target.kind === 'class' && target.slug === drugClass.slug;
  return {
    ...EMPTY,
    kind: 'class',
    crumbs: crumbsOf(drugClass.name, book.hubOf('class', drugClass.slug)),
    title: `${drugClass.name}${book.drugs.drug(drugClass.slug) ? ' as a group' : ''}: interactions with supplements`,
    answer: items.length
      ? `${drugClass.description} This base holds ${countOf(items.length, 'interaction')} of supplements and foods with the whole class; single medicines may have more.`
      : `${drugClass.description} No record of a supplement with ${lower} as a class is in our sources. This does not mean that any is safe with them.`,
    severity: items[0] ? items[0].severity : null,
    drug: drugClass.name,
    about: drugClass.parents.flatMap((slug) => {
      const found = book.drugs.classes.get(slug);
      return found ? [{ name: found.name, href: `/interactions/${book.hubOf('class', slug)}` }] : [];
    }),
    lines: [{ title: 'Supplements and foods', note: 'Gravest first.', items: items.sort(byLine) }],
    depletions: depletionsFor(book, isDepletion, 'drug'),
    members: members.map(({ slug, name }) => ({ name, href: `/interactions/${book.hubOf('drug', slug)}` })),
    coverage: '',
    ...historyOf([...rules, ...book.depletions.filter(isDepletion)]),
  };
};
