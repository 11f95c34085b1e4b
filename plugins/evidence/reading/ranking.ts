import { readHints } from './hints.ts';
import { markRoles, type Prompt, ROLE } from './roles.ts';
import { type Candidate, scoreSentences } from './select.ts';
import type { Section, Sentence } from './sentences.ts';
import { stem, tokenize } from './tokens.ts';

const SECTIONS: readonly Section[] = ['background', 'methods', 'results', 'conclusion', 'unknown'];
const DENIAL =
  /\b(?:no (?:\w+ ){0,4}(?:differen\w*|effects?|changes?|impact|increase|improvement)|not (?:\w+ ){0,3}(?:differ\w*|affect\w*|significant\w*|change\w*|improve\w*)|similar|comparable|unchanged|neither|nor|non-?significant)\b/i;
const CHANGE =
  /\b(?:increas\w+|decreas\w+|reduc\w+|improv\w+|higher|lower|greater|longer|shorter|less|fewer|better|worse|faster|slower|prevent\w*|alleviat\w*|enhanc\w*)\b/i;
const PLAN =
  /\b(?:aim(?:ed|s)?|objective|purpose|hypothesi[sz]ed?|to (?:determine|evaluate|assess|investigate|examine|compare|test|study)|whether|were (?:randomi[sz]ed|randomly|measured|assessed|recorded|allocated|assigned|collected|evaluated)|(?:primary|secondary) (?:outcome|end-?point)s? (?:was|were|included)|registered|further (?:research|studies|trials))\b/i;
const BETWEEN =
  /\b(?:between (?:the )?(?:\w+ )?(?:groups|arms)|compared|than|versus|vs|relative to|both groups|all groups)\b/i;
const PREFIX = 5;

const outcomeStems = (text: string): string[] =>
  tokenize(text)
    .map(({ text: word }) => word.toLowerCase())
    .filter((word) => /[\p{L}\d]/u.test(word))
    .map(stem);

/**
 * Returns the share of the outcome's words that equal a word of the sentence or share its first letters, as "hypertension" and
 * "hypertensive" do.
 */
const sharePrefixes = (wanted: ReadonlySet<string>, held: readonly string[]): number => {
  if (wanted.size === 0) return 0;
  let found = 0;
  for (const word of wanted)
    if (held.some((other) => other === word || (word.length >= PREFIX && other.startsWith(word.slice(0, PREFIX)))))
      found += 1;
  return found / wanted.size;
};

/** Returns the ranking features of each sentence; the order of the numbers is part of the model file. */
export const rankFeatures = (
  prompt: Prompt,
  sentences: readonly Sentence[],
  candidates: readonly Candidate[],
): number[][] => {
  const marker = markRoles(prompt);
  const asked = tokenize(prompt.outcome.slice(0, 400));
  const roles = marker.mark(asked);
  const wanted = new Set(
    asked.filter((_, index) => roles[index]! & ROLE.outcome).map(({ text }) => stem(text.toLowerCase())),
  );
  const ordered = outcomeStems(prompt.outcome.slice(0, 400));
  const pairs = ordered.slice(1).map((word, index) => `${ordered[index]} ${word}`);
  const rows = sentences.map(({ text, section }, index) => {
    const cut = text.slice(0, 1_500);
    const tokens = tokenize(cut);
    const stems = outcomeStems(cut);
    const line = ` ${stems.join(' ')} `;
    let all = 0;
    for (const role of marker.mark(tokens)) all |= role;
    const held = new Set(stems);
    const plain = wanted.size === 0 ? 0 : [...wanted].filter((word) => held.has(word)).length / wanted.size;
    const adjacent =
      pairs.length === 0 ? plain : pairs.filter((pair) => line.includes(` ${pair} `)).length / pairs.length;
    const last = ordered.at(-1);
    return {
      overlap: candidates[index]!.overlap,
      plain,
      prefix: sharePrefixes(wanted, stems),
      adjacent,
      head: last !== undefined && held.has(last) ? 1 : 0,
      flags: [
        all & ROLE.intervention ? 1 : 0,
        all & ROLE.comparator ? 1 : 0,
        (all & ROLE.intervention) !== 0 && (all & ROLE.comparator) !== 0 ? 1 : 0,
        DENIAL.test(cut) ? 1 : 0,
        CHANGE.test(cut) ? 1 : 0,
        PLAN.test(cut) ? 1 : 0,
        BETWEEN.test(cut) ? 1 : 0,
        /\bsignific/i.test(cut) ? 1 : 0,
        readHints(cut).length > 0 ? 1 : 0,
        /\d/.test(cut) ? 1 : 0,
        Math.min(1, stems.length / 60),
        index / Math.max(1, sentences.length - 1),
        index === sentences.length - 1 ? 1 : 0,
        ...SECTIONS.map((name) => (name === section ? 1 : 0)),
      ],
    };
  });
  const most = (pick: (row: (typeof rows)[number]) => number): number => Math.max(0, ...rows.map(pick));
  const best = { overlap: most((r) => r.overlap), prefix: most((r) => r.prefix), adjacent: most((r) => r.adjacent) };
  const firstWith = rows.findIndex(
    ({ overlap, flags }) => overlap === best.overlap && (flags[4] === 1 || flags[3] === 1) && flags[5] === 0,
  );
  return rows.map((row, index) => {
    const match = [
      row.overlap,
      row.overlap ** 2,
      row.plain,
      row.prefix,
      row.adjacent,
      row.head,
      row.overlap - best.overlap,
      row.prefix - best.prefix,
      row.adjacent - best.adjacent,
      row.overlap > 0 && row.overlap === best.overlap ? 1 : 0,
      index === firstWith ? 1 : 0,
    ];
    // Signs of a result count only in sentences that name the outcome.
    return [...match, ...row.flags, ...row.flags.map((flag) => flag * row.overlap)];
  });
};

/** Returns, for each sentence, the probability that it is the one that reports the outcome; the probabilities add up to 1. */
export const rankSentences = (
  prompt: Prompt,
  sentences: readonly Sentence[],
  weights: readonly number[],
): { readonly candidate: Candidate; readonly chance: number }[] => {
  const candidates = scoreSentences(prompt, sentences);
  const scores = rankFeatures(prompt, sentences, candidates).map((row) =>
    row.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0),
  );
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - top));
  const total = powers.reduce((left, right) => left + right, 0);
  return candidates.map((candidate, index) => ({ candidate, chance: powers[index]! / total }));
};
