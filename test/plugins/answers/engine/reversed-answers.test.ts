/**
 * Tests a model that reverses findings, in exact fragments or in its own words, and one that does not. It speaks the
 * protocol of real endpoints. Only whole sentences of the sources may be shown, whatever the model returns.
 */
import { strict as assert } from 'node:assert';
import { openaiLanguage } from '#core/models/openai-language.ts';
import { sentencesOf } from '#plugins/answers/engine/sentences.ts';
import { partsFor } from '../../../core/models/parts.ts';
import { type OpenaiEndpoint, type Step, says, startEndpoint } from '../../../support/openai-endpoint.ts';
import type { MadeArticle } from '../../evidence/support.ts';
import { useEngine } from './support.ts';

const QUESTION = 'Do zinc lozenges shorten the common cold?';

/** The findings of the sources; cases refer to them by index. */
const FINDINGS = [
  'Zinc lozenges shortened the common cold by 1.7 days compared with placebo.',
  'Zinc lozenges did not shorten the common cold, although sleep was better in both groups.',
  'Zinc lozenges reduced the severity of cold symptoms but increased nausea compared with placebo.',
  'There was no evidence that zinc lozenges prevent the common cold in adults.',
  'Zinc lozenges may shorten the common cold when they are started within 24 hours.',
  'Colds lasted longer with zinc lozenges than with placebo in children.',
] as const;

const made = (conclusion: string, at: number): MadeArticle => ({
  pmid: 99_300_001 + at,
  title: `Zinc lozenges for the common cold: a randomised trial, number ${at + 1}.`,
  abstract: `BACKGROUND: Zinc lozenges are believed to cure the common cold within a day. METHODS: We randomly assigned 240 adults with a common cold to zinc or placebo. CONCLUSIONS: ${conclusion}`,
  year: 2016,
  types: ['Randomized Controlled Trial'],
});

interface Case {
  /** The index of the finding that the case is about. */
  readonly of: number;
  /** The model's own sentence. */
  readonly text: string;
  /** Fragments copied verbatim; defaults to the whole finding. */
  readonly pieces?: readonly string[];
}

const REVERSED: readonly Case[] = [
  // Claims assembled from exact fragments.
  {
    of: 1,
    text: 'In people with colds zinc lozenges helped, and sleep was better.',
    pieces: ['sleep was better in both groups'],
  },
  {
    of: 1,
    text: 'Zinc lozenges did shorten the common cold, and sleep was better.',
    pieces: ['shorten the common cold, although'],
  },
  {
    of: 1,
    text: 'The cold did not last, sleep was better in both groups.',
    pieces: ['although sleep was better in both'],
  },
  {
    of: 3,
    text: 'Zinc lozenges prevent the common cold in adults.',
    pieces: ['zinc lozenges prevent the common cold in adults.'],
  },
  {
    of: 3,
    text: 'There was evidence that zinc lozenges prevent the common cold.',
    pieces: ['evidence that zinc lozenges prevent'],
  },
  {
    of: 2,
    text: 'Zinc lozenges increased the severity of cold symptoms.',
    pieces: ['the severity of cold symptoms but increased'],
  },
  {
    of: 2,
    text: 'Zinc lozenges reduced nausea compared with placebo.',
    pieces: ['nausea compared with placebo.', 'Zinc lozenges reduced the severity'],
  },
  { of: 5, text: 'Colds lasted longer with placebo in children.', pieces: ['with placebo in children.'] },
  { of: 4, text: 'Zinc lozenges shorten the common cold.', pieces: ['shorten the common cold when they are'] },
  {
    of: 0,
    text: 'The common cold was 1.7 days longer compared with placebo.',
    pieces: ['by 1.7 days compared with placebo.'],
  },
  // Claims with an added or removed negation.
  { of: 0, text: 'Zinc lozenges did not shorten the common cold by 1.7 days compared with placebo.' },
  { of: 0, text: 'Zinc lozenges never shortened the common cold compared with placebo.' },
  { of: 0, text: 'Zinc lozenges failed to shorten the common cold compared with placebo.' },
  { of: 0, text: 'It was hardly shown that zinc lozenges shortened the common cold by 1.7 days.' },
  { of: 1, text: 'Zinc lozenges shortened the common cold, although sleep was not better in both groups.' },
  { of: 1, text: 'Not only did zinc lozenges shorten the common cold, sleep was better in both groups.' },
  { of: 3, text: 'There was no doubt that zinc lozenges prevent the common cold in adults.' },
  { of: 3, text: 'No adult on zinc lozenges had the common cold.' },
  { of: 2, text: 'Zinc lozenges did not increase nausea but reduced the severity of cold symptoms.' },
  { of: 5, text: 'Colds lasted no longer with zinc lozenges than with placebo in children.' },
  // Claims with directions or study arms exchanged.
  { of: 0, text: 'Zinc lozenges lengthened the common cold by 1.7 days compared with placebo.' },
  { of: 0, text: 'Placebo shortened the common cold by 1.7 days compared with zinc lozenges.' },
  { of: 2, text: 'Zinc lozenges increased the severity of cold symptoms but reduced nausea compared with placebo.' },
  { of: 2, text: 'Placebo increased nausea compared with zinc lozenges.' },
  { of: 5, text: 'Colds lasted longer with placebo than with zinc lozenges in children.' },
  { of: 5, text: 'Colds lasted shorter with zinc lozenges than with placebo in children.' },
  // Claims with certainty, condition or population exchanged.
  { of: 4, text: 'Zinc lozenges shorten the common cold whenever they are started.' },
  { of: 4, text: 'Zinc lozenges may shorten the common cold unless they are started within 24 hours.' },
  { of: 4, text: 'Zinc lozenges will shorten the common cold when they are started within 24 hours.' },
  { of: 5, text: 'Colds lasted longer with zinc lozenges than with placebo in adults.' },
  { of: 0, text: 'Zinc lozenges shortened the common cold by 1.7 weeks compared with placebo.' },
  {
    of: 3,
    text: 'Zinc lozenges cure the common cold within a day.',
    pieces: ['are believed to cure the common cold within a day'],
  },
  { of: 1, text: 'Zinc lozenges are safe, as sleep was better.', pieces: ['sleep was better in both groups.'] },
];

const FAITHFUL: readonly Case[] = [
  { of: 0, text: 'In one trial zinc lozenges shortened colds by 1.7 days.' },
  { of: 0, text: 'Colds were 1.7 days shorter with zinc lozenges than with placebo.' },
  { of: 0, text: 'Compared with placebo, colds ended 1.7 days sooner.' },
  { of: 0, text: 'Zinc lozenges cut 1.7 days off a cold.', pieces: ['shortened the common cold by 1.7 days'] },
  {
    of: 0,
    text: 'People on placebo had colds that were 1.7 days longer.',
    pieces: ['by 1.7 days compared with placebo.'],
  },
  { of: 1, text: 'Zinc lozenges made no difference to how long colds lasted.' },
  { of: 1, text: 'Colds were not shorter with zinc lozenges.', pieces: ['did not shorten the common cold'] },
  { of: 1, text: 'Zinc lozenges failed to shorten colds.' },
  { of: 1, text: 'Sleep improved in both groups alike, and colds were no shorter.' },
  { of: 1, text: 'No effect on the length of colds was seen; sleep got better with and without zinc.' },
  { of: 2, text: 'Symptoms were milder and nausea was more frequent.' },
  { of: 2, text: 'Less severe colds came with more nausea.' },
  {
    of: 2,
    text: 'Zinc lozenges eased symptoms at the price of nausea.',
    pieces: ['but increased nausea compared with placebo'],
  },
  { of: 2, text: 'Nausea rose compared with placebo.', pieces: ['increased nausea compared with'] },
  { of: 2, text: 'The severity of symptoms fell.', pieces: ['reduced the severity of cold symptoms'] },
  { of: 3, text: 'Whether zinc lozenges prevent colds was not shown.' },
  { of: 3, text: 'Prevention of colds was not supported.', pieces: ['There was no evidence that zinc'] },
  { of: 3, text: 'Nothing showed that zinc lozenges keep adults from catching colds.' },
  { of: 3, text: 'In adults, prevention lacks evidence.' },
  { of: 3, text: 'No evidence of prevention was found.' },
  { of: 4, text: 'Started within a day, zinc lozenges might shorten a cold.' },
  { of: 4, text: 'An early start may matter.', pieces: ['when they are started within 24 hours.'] },
  { of: 4, text: 'There may be a benefit within the first 24 hours.' },
  { of: 4, text: 'Possibly colds are shorter if treated in the first day.' },
  { of: 4, text: 'Colds could be shorter with early lozenges.', pieces: ['may shorten the common cold'] },
  { of: 5, text: 'Children on zinc lozenges had longer colds.' },
  { of: 5, text: 'In children, placebo did better.' },
  { of: 5, text: 'Colds of children were shorter with placebo.', pieces: ['lasted longer with zinc lozenges than'] },
  { of: 5, text: 'Zinc lozenges prolonged colds in children.' },
  { of: 5, text: 'For children the result went against zinc.', pieces: ['than with placebo in children.'] },
];

const timesIn = (text: string, piece: string): number => text.split(piece).length - 1;

const BATCH = 5;

const batches = (cases: readonly Case[]): readonly (readonly Case[])[] =>
  Array.from({ length: Math.ceil(cases.length / BATCH) }, (_, at) => cases.slice(at * BATCH, (at + 1) * BATCH));

/** Returns the number under which the prompt shows a source. */
const numberOf = (prompt: string, of: number): number =>
  Number(new RegExp(`^\\[(\\d+)\\].*trial, number ${of + 1}\\.`, 'm').exec(prompt)?.[1]);

/** Replies with these cases as claims, in the requested shape and with surrounding text as models add it. */
const claiming =
  (cases: readonly Case[]): Step =>
  (reply, asked) => {
    const prompt = String(asked.body.messages.at(-1).content);
    const claims = cases.map(({ of, text, pieces }) => ({
      text,
      citations: [numberOf(prompt, of)],
      quotes: pieces ?? [FINDINGS[of]],
    }));
    says(JSON.stringify({ claims }))(reply, asked);
  };

describe('claims of a language model about findings', function () {
  this.timeout(180_000);
  const base = useEngine(FINDINGS.map(made));
  let endpoint: OpenaiEndpoint;
  before(async () => {
    endpoint = await startEndpoint();
  });
  after(() => endpoint.close());

  const told = async (cases: readonly Case[]) => {
    endpoint.script(claiming(cases));
    const { answer } = await base.askWith(openaiLanguage(partsFor(endpoint)), QUESTION, { max_citations: 20 });
    assert.equal(endpoint.asked.length, 1, 'the model was asked');
    return answer;
  };

  /** Asserts that each quote of the answer is a complete sentence of its source. */
  const checkQuotes = async (answer: Awaited<ReturnType<typeof told>>): Promise<void> => {
    for (const { text, citations } of answer.claims) {
      const quote = /: “(.+)” (?:\[\d+\])+$/s.exec(text)?.[1];
      if (!quote) continue;
      const source = answer.citations.find(({ n }) => n === citations[0]);
      const { title = '', summary = '', abstract = '' } = await base.stored(source?.source_id ?? '');
      const whole = [summary, abstract].flatMap((one) => sentencesOf(one).map((sentence) => sentence.text));
      assert.ok([title, ...whole].includes(quote.replace(/\\([\\`*_[\]<])/g, '$1')), `not a whole sentence: ${quote}`);
    }
  };

  it(`include ${REVERSED.length} reversed and ${FAITHFUL.length} faithful cases without duplicates`, () => {
    assert.ok(REVERSED.length >= 30 && FAITHFUL.length >= 30);
    assert.equal(new Set([...REVERSED, ...FAITHFUL].map(({ text }) => text)).size, REVERSED.length + FAITHFUL.length);
    for (const { of, pieces = [] } of [...REVERSED, ...FAITHFUL])
      for (const piece of pieces) assert.ok(made(FINDINGS[of] as string, of).abstract?.includes(piece), piece);
  });

  for (const cases of batches(REVERSED))
    it(`are not shown where they reverse a finding: ${cases.map(({ text }) => text).join(' | ')}`, async () => {
      const answer = await told(cases);
      const shown = [answer.answer, answer.summary, ...answer.claims.map(({ text }) => text)].join('\n');
      for (const { of, text, pieces } of cases) {
        assert.ok(!shown.includes(text), text);
        // A fragment may appear only inside the whole finding it was cut from; a fragment of a background never
        // appears.
        const finding = FINDINGS[of] as string;
        for (const piece of pieces ?? [])
          assert.equal(timesIn(shown, piece), finding.includes(piece) ? timesIn(shown, finding) : 0, piece);
      }
      await checkQuotes(answer);
    });

  for (const cases of batches(FAITHFUL))
    it(`show the source sentences where they are faithful: ${cases.map(({ text }) => text).join(' | ')}`, async () => {
      const answer = await told(cases);
      assert.equal(answer.model, 'made-model');
      assert.ok(!answer.warnings.some(({ code }) => code === 'unsupported_claims_removed'));
      const chosen = [...new Set(cases.map(({ of }) => FINDINGS[of] as string))];
      const places = chosen.map((sentence) => answer.answer.indexOf(sentence));
      assert.ok(places.every((place) => place >= 0));
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
        'in the order of the model',
      );
      for (const sentence of FINDINGS)
        assert.ok(answer.answer.includes(sentence), `what each source found: ${sentence}`);
      await checkQuotes(answer);
    });
});
