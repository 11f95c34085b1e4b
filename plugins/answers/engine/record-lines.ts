/** Writes the lines above the quotes: interactions on record, and cautions when a question is about harm. */
import { cautionSeverityWord, type InteractionServices } from '#plugins/interactions/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import { askedAmount } from './asked-amount.ts';
import { type InteractionAnswer, interactionLine } from './interaction-block.ts';
import type { EngineParts } from './port.ts';
import type { Question } from './question.ts';

const MOST_CAUTIONS = 4;
/** Matches states of health for which cautions are on record. */
const NAMES_STATE =
  /\b(?:pregnan\w*|breast-?feed\w*|surgery|operation|kidneys?|liver|bleeding|diabet\w*|epilep\w*|seizures?|heart|thyroid|blood pressure|autoimmune|glaucoma|gout|ulcers?)\b/i;

/** Returns the states of health that need caution, by supplement, each with the page that it comes from. */
const cautionLines = async (
  services: InteractionServices,
  { supplements, substances, asks, text }: Question,
  always: boolean,
): Promise<string[]> => {
  if (!always && !asks.has('harm') && !NAMES_STATE.test(text)) return [];
  const cautions = await services.cautions();
  return [...supplements, ...substances].flatMap(({ slug, name }) => {
    const known = cautions.get(slug) ?? [];
    if (!known.length) return [];
    const words = known.slice(0, MOST_CAUTIONS).map(({ state, severity, fromDose }) => {
      const dose = fromDose ? `, ${fromDose}` : '';
      return `${state.toLowerCase()} (severity: ${cautionSeverityWord(severity, fromDose !== null).toLowerCase()}${dose})`;
    });
    const more = known.length > MOST_CAUTIONS ? `, and ${known.length - MOST_CAUTIONS} more` : '';
    return [
      `**Cautions on record for ${name}:** ${words.join(', ')}${more}. [Record and sources](/interactions/${slug})`,
    ];
  });
};

const figure = new Intl.NumberFormat('en-GB');
const ADULT_AGE = '31-50';

/**
 * Returns a warning that an amount is above the upper limit for adults, or an empty string. It never says that an amount is
 * safe.
 */
const amountLine = (
  { said, amount }: NonNullable<ReturnType<typeof askedAmount>>,
  { adult, unit }: { readonly adult: number; readonly unit: string },
): string => {
  if (amount <= adult) return '';
  const same = said.replace(/[\s,]/g, '').toLowerCase() === `${amount}${unit}`.toLowerCase();
  const converted = same ? '' : ` (${figure.format(amount)} ${unit})`;
  return `**${said}${converted} is above the upper limit for adults of ${figure.format(adult)} ${unit} a day. Do not take this much without a doctor.** `;
};

/**
 * Returns an authority's daily recommendation and upper limit for adults, for each supplement whose dose is asked about. They are
 * never given for children or pregnancy.
 */
const intakeLines = ({ supplements, asks, text }: Question, terms: Terms): string[] => {
  if (!asks.has('dose')) return [];
  return supplements.flatMap(({ slug, name }) => {
    const intake = terms.intakes.get(slug);
    if (!intake) return [];
    const of = (group: string) => intake.recommended.find((one) => one.group === group && one.age === ADULT_AGE);
    const [men, women] = [of('Male'), of('Female')];
    const daily =
      men && women
        ? `${figure.format(men.value)} ${intake.unit} a day for men and ${figure.format(women.value)} for women aged 31 to 50`
        : '';
    const adult = intake.upperLimit?.adult ?? null;
    const limit =
      intake.upperLimit && adult !== null
        ? `upper limit for adults ${figure.format(adult)} ${intake.unit} a day${intake.upperLimit.note ? ` (${intake.upperLimit.note})` : ''}`
        : 'no upper limit was set, which does not say that any amount is safe';
    const asked = askedAmount(text, { supplement: slug, unit: intake.unit });
    const above = asked && adult !== null ? amountLine(asked, { adult, unit: intake.unit }) : '';
    return [
      `${above}**Reference intake of ${name}:** ${[daily, limit].filter(Boolean).join('; ')}. [${intake.authority.name}](${intake.authority.address})`,
    ];
  });
};

/** Returns Markdown lines, the most serious first; each links the record that it comes from. */
export const recordLines = async (
  parts: Pick<EngineParts, 'interactions' | 'vocabulary'>,
  question: Question,
  interactions: readonly InteractionAnswer[],
  { cautions = false }: { readonly cautions?: boolean } = {},
): Promise<readonly string[]> =>
  [
    ...interactions.map(interactionLine),
    ...(await cautionLines(parts.interactions, question, cautions)),
    ...intakeLines(question, await parts.vocabulary.terms()),
  ].filter(Boolean);

/** Returns whether an authority's figures answer a question about an amount. */
export const hasIntake = ({ supplements, asks }: Question, { intakes }: Terms): boolean =>
  asks.has('dose') &&
  supplements.some(({ slug }) => {
    const intake = intakes.get(slug);
    // A recommended intake does not say whether an amount is safe.
    return intake && (!asks.has('harm') || (intake.upperLimit?.adult ?? null) !== null);
  });
