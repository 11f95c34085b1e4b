/**
 * Builds the API's representation of a found interaction: the most serious rule is the answer, the others are listed beside it.
 */

import { type Grounds, speaksOfPair } from '../book/grounds.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import { type CitedSource, sourceJson } from '../rules/cited-sources.ts';
import { labelAddress } from '../rules/label-rules.ts';
import { severityReasons } from '../rules/severity-rule.ts';
import type { Hit, Looked } from './lookup.ts';
import { isSure, type Named } from './names.ts';

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** Returns the effect, with a prefix if it is only expected from the class or concerns only a part of the other side. */
export const effectOf = ({
  rule,
  viaClass,
  only,
  grounds,
}: Pick<Hit, 'rule' | 'viaClass' | 'only' | 'grounds'>): string => {
  const about = only ? `About ${only.name}: ` : '';
  const effect = rule.entry.effect.trim();
  return viaClass && !speaksOfPair(grounds)
    ? `${about}Expected from the class (${lowerFirst(viaClass.name)}): ${effect}`
    : `${about}${effect}`;
};

/** Returns the address of a pair's page; for a class or between supplements, the anchor on the supplement's page. */
export const urlOf = (book: InteractionBook, { rule, only }: Hit, other: Named): string => {
  const drug = only ?? (other.type === 'drug' ? other.drug : null);
  const pair = drug && book.pair(rule.subject.slug, drug.slug);
  return pair ? `/interactions/${pair.slug}` : `/interactions/${rule.subject.slug}#${rule.slug}`;
};

const timingOf = ({ rule: { entry } }: Hit) =>
  entry.timing ? { separate_hours: entry.timing.separate_hours ?? null, note: entry.timing.note ?? null } : null;

const thresholdOf = ({ rule: { entry } }: Hit) =>
  entry.dose_threshold
    ? {
        amount: entry.dose_threshold.amount,
        unit: entry.dose_threshold.unit,
        per: entry.dose_threshold.per ?? null,
        note: entry.dose_threshold.note ?? null,
      }
    : null;

/** Builds the grounds for this pair, down to the sentence that was read. */
const groundsJson = ({ basis, statement, facts, mechanisms, studies }: Grounds) => ({
  basis,
  statement,
  properties: facts.map(({ setId, ...fact }) => ({ ...fact, set_id: setId, url: setId && labelAddress(setId) })),
  mechanisms: mechanisms.map(({ shownIn, address, ...fact }) => ({
    ...fact,
    shown_in: shownIn,
    url: fact.basis === 'label' ? labelAddress(address) : address,
  })),
  studies: studies.map(sourceJson),
});

/** Returns the sources: those that name the pair itself come before those about the class. */
export const sourcesOf = ({ rule, grounds }: Pick<Hit, 'rule' | 'grounds'>): readonly CitedSource[] => [
  ...new Set([...grounds.named, ...rule.sources]),
];

/** Builds the members that every rule has, without the two sides that it is about. */
export const ruleJson = (hit: Hit) => {
  const { rule, viaClass, only, grounds } = hit;
  const { entry } = rule;
  return {
    slug: rule.slug,
    severity: entry.severity,
    severity_reasons: severityReasons(rule).map((reason) => ({ ...reason })),
    action: entry.action,
    effect: effectOf(hit),
    direction: entry.direction ?? 'harmful',
    mechanism: {
      type: entry.mechanism?.type ?? 'unknown',
      detail: entry.mechanism?.detail ?? '',
      through: [...(entry.mechanism?.through ?? [])],
    },
    likelihood: grounds.likelihood,
    grounds: groundsJson(grounds),
    evidence_tier: rule.tier,
    evidence_basis: rule.evidenceBasis,
    origin: rule.origin,
    onset: entry.onset ?? 'unknown',
    recommendation: entry.recommendation.trim(),
    timing: timingOf(hit),
    dose_threshold: thresholdOf(hit),
    basis: viaClass && !speaksOfPair(grounds) ? ('class' as const) : ('pair' as const),
    via_class: viaClass && { slug: viaClass.slug, name: viaClass.name },
    only_for: only && { slug: only.slug, name: only.name },
    exceptions: rule.exceptions.map(({ drugSlug, drug, note }) => ({ slug: drugSlug, drug, note })),
    sources: sourcesOf(hit).map(sourceJson),
    reviewed_at: entry.reviewed_at ?? rule.changedAt.slice(0, 10),
  };
};

/** Builds the list of rules that apply only to other forms of the supplement; omits the member if every rule applies. */
export const otherFormsJson = ({ otherForms }: Pick<Looked, 'otherForms'>) =>
  otherForms.length
    ? {
        other_forms: otherForms.map(({ form, rule, note }) => ({
          form: { slug: form.slug, name: form.name },
          of_rule: rule.slug,
          severity: rule.entry.severity,
          note,
        })),
      }
    : {};

/**
 * Builds a finding.
 * @param looked must contain at least one hit.
 */
export const findingJson = (book: InteractionBook, [a, b]: readonly [Named, Named], looked: Looked) => {
  const [first, ...rest] = looked.hits;
  if (!first) throw new Error('A finding needs a rule');
  const confidence = Math.min(a.confidence, b.confidence);
  const other = a.type === 'subject' ? b : a;
  return {
    ...ruleJson(first),
    also: rest.map(ruleJson),
    ...otherFormsJson(looked),
    coverage: looked.coverage,
    confidence,
    needs_confirmation: !isSure(a) || !isSure(b),
    url: urlOf(book, first, other),
    disclaimer_url: '/disclaimer',
  };
};
