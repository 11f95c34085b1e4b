/** Builds the reply for a refused question: what to do now, the reason, and pages to read. */
import type { InteractionServices } from '#plugins/interactions/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import type { Refusal } from '../schemas.ts';
import type { Question } from './question.ts';
import type { RefusalKind } from './refusal.ts';

interface Words {
  readonly emergency: string;
  readonly reason: string;
}

const EMERGENCY_NUMBER = 'Call your local emergency number now';

const WORDS: Readonly<Record<RefusalKind, Words>> = {
  self_harm: {
    emergency: `If you may hurt yourself or someone else may hurt themselves: ${EMERGENCY_NUMBER.charAt(0).toLowerCase()}${EMERGENCY_NUMBER.slice(1)} or go to the nearest emergency department. Stay with someone you trust, and put anything dangerous out of reach. A crisis line in your country can talk with you at any hour.`,
    reason: 'You deserve help from a person, not from a library of studies, so this question gets no list of evidence.',
  },
  overdose: {
    emergency: `${EMERGENCY_NUMBER}, or a poison centre, if someone may have taken too much or something poisonous. Do this even when there are no signs yet: some poisonings show late. Do not make them vomit. Keep the package to read from, with how much was taken and when.`,
    reason: 'Amounts that may poison someone are a matter for a poison centre, which can ask back; studies cannot.',
  },
  emergency: {
    emergency: `${EMERGENCY_NUMBER} if this is happening to you or someone near you. Do not wait to see whether a supplement helps, and do not drive yourself. If something was swallowed, a poison centre can help as well. If you may hurt yourself, stay with someone you trust; a crisis line in your country can talk with you at any hour.`,
    reason: 'What you describe can be a sign of something that cannot wait, so this question gets no list of evidence.',
  },
  stop_medicine: {
    emergency: '',
    reason:
      'Stopping, swapping or changing the dose of a prescribed medicine can be dangerous, and only someone who knows your case can judge it. Keep taking it as prescribed until you have spoken with the doctor who prescribed it or a pharmacist. No study here can tell what is right for one person.',
  },
  child_dose: {
    emergency: '',
    reason:
      'Children are not small adults: what suits one depends on age, weight and health, and most supplements were never tested in children. This service gives no doses for them. Ask a paediatrician or pharmacist.',
  },
  pregnancy_dose: {
    emergency: '',
    reason:
      'What is taken in pregnancy reaches the child too, and most supplements were never tested for it. This service gives no doses for pregnancy. Ask a midwife, doctor or pharmacist before you take or stop anything.',
  },
  breastfeeding_dose: {
    emergency: '',
    reason:
      'What is taken while breast-feeding can pass into the milk, and most supplements were never tested for it. This service gives no doses for it. Ask a midwife, doctor or pharmacist before you take anything.',
  },
};

const URGENT = new Set<RefusalKind>(['self_harm', 'overdose', 'emergency']);
export const isUrgent = (kind: RefusalKind): boolean => URGENT.has(kind);

const STATE_CONDITIONS: Partial<Record<RefusalKind, readonly string[]>> = {
  pregnancy_dose: ['gestational-diabetes', 'pre-eclampsia'],
};

const MOST_PAGES = 6;

/** Returns existing pages on the names in the question: supplements, their interactions, and conditions. */
const pagesFor = async (
  kind: RefusalKind,
  question: Question,
  { terms, interactions }: { terms: Terms; interactions: InteractionServices },
): Promise<Refusal['pages']> => {
  if (isUrgent(kind)) return [];
  const counts = await interactions.counts();
  const pages = question.supplements.flatMap(({ slug, name }) => [
    { title: name, url: `/supplements/${slug}` },
    ...(counts.has(slug) ? [{ title: `${name}: interactions`, url: `/interactions/${slug}` }] : []),
  ]);
  const named = question.conditions.map(({ slug, name }) => ({ title: name, url: `/conditions/${slug}` }));
  const states = (STATE_CONDITIONS[kind] ?? [])
    .flatMap((slug) => terms.conditions.get(slug) ?? [])
    .map(({ slug, name }) => ({ title: name, url: `/conditions/${slug}` }));
  const checker = kind === 'stop_medicine' ? [{ title: 'Interaction checker', url: '/interactions' }] : [];
  return [
    ...pages,
    ...named,
    ...checker,
    ...(pages.length ? [] : states),
    { title: 'Disclaimer', url: '/disclaimer' },
  ].slice(0, MOST_PAGES);
};

export interface RefusalAnswer {
  readonly refusal: Refusal;
  /** Markdown: first what to do, then why. */
  readonly answer: string;
  readonly summary: string;
}

export const refusalAnswer = async (
  kind: RefusalKind,
  question: Question,
  parts: { terms: Terms; interactions: InteractionServices },
): Promise<RefusalAnswer> => {
  const { emergency, reason } = WORDS[kind];
  const pages = await pagesFor(kind, question, parts);
  const links = pages.map(({ title, url }) => `- [${title}](${url})`).join('\n');
  const answer = [emergency && `**${emergency}**`, reason, links && `Pages to read:\n\n${links}`]
    .filter(Boolean)
    .join('\n\n');
  const summary = isUrgent(kind)
    ? 'This may be an emergency: call your local emergency number or a poison centre.'
    : 'This question is not answered here: ask someone who knows the case.';
  return { refusal: { kind, reason, emergency, pages }, answer, summary };
};
