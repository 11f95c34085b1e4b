/** Interactions on a supplement's page: cautions by state of health, rules (most serious first), depletions, reports. */
import { type Static, Type } from 'typebox';
import { LinkView } from '#plugins/evidence/index.ts';
import {
  type CautionRecord,
  CONDITION_WORDS,
  cautionSeverityWord,
  cautionToDo,
  gravestFirst,
  type InteractionBook,
  type InteractionSummary,
  SEVERITIES,
  SEVERITY_WORDS,
  type Severity,
} from '#plugins/interactions/index.ts';
import { OriginView, originView } from '#plugins/vocabulary/index.ts';

const SeverityView = Type.Object({ code: Type.String({ enum: [...SEVERITIES] }), word: Type.String() });

const CautionView = Type.Object({
  who: Type.String(),
  severity: SeverityView,
  toDo: Type.String(),
  effect: Type.String(),
  recommendation: Type.String(),
  /** The first authority among its sources. */
  authority: Type.Union([LinkView, Type.Null()]),
  origin: OriginView,
});

const RuleLine = Type.Object({
  with: Type.String(),
  href: Type.String(),
  severity: SeverityView,
  effect: Type.String(),
  recommendation: Type.String(),
  basis: Type.String(),
});

export const InteractionParts = Type.Object({
  cautions: Type.Array(CautionView),
  rules: Type.Array(RuleLine),
  /** Number of rules that are not printed here. */
  more: Type.Integer(),
  /** Number of single medicines to which the rules apply. */
  drugs: Type.Integer(),
  /** Address of the page with all of them. */
  href: Type.String(),
  depletions: Type.Array(
    Type.Object({ by: Type.String(), href: Type.String(), effect: Type.String(), note: Type.String() }),
  ),
  signal: Type.Union([
    Type.Object({ reports: Type.Integer(), serious: Type.Integer(), years: Type.String(), source: LinkView }),
    Type.Null(),
  ]),
});
export type InteractionParts = Static<typeof InteractionParts>;

/** Maximum number of rules that a supplement's page prints; the supplement's interactions page lists all. */
const SHOWN = 12;

const severityView = (code: Severity) => ({ code, word: SEVERITY_WORDS[code] });
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const authorityOf = (sources: CautionRecord['sources']) => {
  const { authority, address } = sources.find(({ given }) => given.authority)?.given ?? {};
  return authority && address ? { name: authority, href: address } : null;
};

const cautionsOf = (book: InteractionBook, slug: string): InteractionParts['cautions'] =>
  book
    .cautionsOf(slug)
    .toSorted((a, b) => gravestFirst(a.entry, b.entry) || (a.id < b.id ? -1 : 1))
    .map(({ entry, sources, origin }) => ({
      who: entry.name ?? CONDITION_WORDS[entry.condition],
      severity: { code: entry.severity, word: cautionSeverityWord(entry.severity, Boolean(entry.dose_threshold)) },
      toDo: cautionToDo(entry.severity, entry.action, Boolean(entry.dose_threshold)),
      effect: entry.effect.trim(),
      recommendation: entry.recommendation.trim(),
      authority: authorityOf(sources),
      origin: originView(origin),
    }));

const ruleLine = (rule: InteractionSummary): InteractionParts['rules'][number] => ({
  with: capital(rule.with),
  href: rule.url,
  severity: severityView(rule.severity),
  effect: rule.effect.trim(),
  recommendation: rule.recommendation.trim(),
  basis: rule.basis,
});

const depletionsOf = (book: InteractionBook, slug: string): InteractionParts['depletions'] =>
  book.depletions
    .filter(({ nutrient }) => nutrient.slug === slug)
    .map(({ target, entry }) => {
      const kind = target.kind === 'class' ? 'class' : 'drug';
      const hub = book.hubOf(kind, target.slug);
      return {
        by: capital(target.name),
        href: book.address(hub) ? `/interactions/${hub}` : '',
        effect: entry.effect.trim(),
        note: entry.note.trim(),
      };
    });

const signalOf = (book: InteractionBook, slug: string): InteractionParts['signal'] => {
  const signal = book.signals.get(slug);
  if (!signal?.reports) return null;
  const { reports, serious, years, source } = signal;
  return { reports, serious, years: years.replace('-', ' to '), source: { name: source.name, href: source.address } };
};

/**
 * Builds the interaction parts.
 * @param rules in the order of the interactions service, most serious first.
 */
export const interactionParts = (
  book: InteractionBook,
  slug: string,
  rules: readonly InteractionSummary[],
): InteractionParts => ({
  cautions: cautionsOf(book, slug),
  rules: rules.slice(0, SHOWN).map(ruleLine),
  more: Math.max(0, rules.length - SHOWN),
  drugs: book.pairsOf(slug).length,
  href: book.address(slug) ? `/interactions/${slug}` : '',
  depletions: depletionsOf(book, slug),
  signal: signalOf(book, slug),
});
