/** Builds a pair's own page: severity and action first, then the reason, the certainty, and links from both sides. */
import { inSentence } from '#plugins/evidence/index.ts';
import { coverageOfDrugs, coverageOfSupplement, lowerCoverage } from '../book/coverage.ts';
import type { InteractionBook, Pair } from '../book/interaction-book.ts';
import { effectOf } from '../checker/finding.ts';
import { EMPTY, type InteractionView } from './interaction-view.ts';
import { ruleView, severityView } from './rule-view.ts';
import { byLine, COVERAGE_WORDS, countOf, historyOf, pairLine, ruleLine } from './view-parts.ts';

/** Builds the view of a pair; the pages of a supplement and of a drug list the pair from their sides. */
export const pairView = (book: InteractionBook, pair: Pair): InteractionView => {
  const { subject, drug, applied, slug } = pair;
  const title = `${subject.name} and ${drug.name}`;
  const severity = applied[0].rule.entry.severity;
  const coverage = lowerCoverage(coverageOfSupplement(book, subject.slug).level, coverageOfDrugs(book, [drug.slug]));
  const mine = new Set(applied.map(({ rule }) => rule.slug));
  const others = book.rulesOf(subject.slug).filter((rule) => !mine.has(rule.slug));
  const sameDrug = book.pairsOfDrug(drug.slug).filter((other) => other !== pair);
  return {
    ...EMPTY,
    kind: 'pair',
    crumbs: [
      { name: 'Interactions', href: '/interactions' },
      { name: subject.name, href: `/interactions/${subject.slug}` },
      { name: title, href: `/interactions/${slug}` },
    ],
    title,
    answer: effectOf({ ...applied[0], only: null }),
    severity: severityView(severity),
    supplement: subject.name,
    drug: drug.name,
    about: [
      { name: `All interactions of ${inSentence(subject.name)}`, href: `/interactions/${subject.slug}` },
      { name: `All interactions of ${drug.name}`, href: `/interactions/${book.hubOf('drug', drug.slug)}` },
      ...(subject.kind === 'supplement'
        ? [{ name: `The evidence on ${inSentence(subject.name)}`, href: `/supplements/${subject.slug}` }]
        : []),
    ],
    rules: applied.map(({ rule, viaClass, grounds }) =>
      ruleView(
        book,
        { rule, viaClass, only: null, grounds },
        // Further rules of a pair are mostly those of its classes: the heading names the class.
        { heading: viaClass ? `${subject.name} and ${inSentence(viaClass.name)}` : title, href: '', drug: drug.name },
      ),
    ),
    lines: [
      {
        title: `Other interactions of ${inSentence(subject.name)}`,
        note: 'Gravest first; what to do stands on each page.',
        items: others.map((rule) => ({ ...ruleLine(book, rule, subject.slug), text: '' })),
      },
      {
        title: `Seen from ${drug.name}: other supplements and foods with it`,
        note: `This base holds records of ${drug.name} with ${countOf(sameDrug.length + 1, 'supplement or food', 'supplements and foods')}, ${inSentence(subject.name)} among them. Gravest first; what to do stands on each page.`,
        items: sameDrug.map((other) => ({ ...pairLine(other), text: '' })).sort(byLine),
      },
    ],
    coverage: COVERAGE_WORDS[coverage],
    ...historyOf(applied.map(({ rule }) => rule)),
  };
};
