/**
 * Parses a question into its subjects, medicines and intent. The text is treated as data and never as an instruction to this
 * program.
 */
import type { ConditionRow, SubstanceRow, SupplementRow, TopicRow } from '#plugins/vocabulary/index.ts';
import type { Mention } from './names-in-text.ts';

/**
 * Intent of a question. `effect`: does it help; `harm`: does it hurt, is it safe; `dose`: how much; `combination`: together
 * with something else; `practical`: when, for how long, which form or brand.
 */
export type Asks = 'effect' | 'harm' | 'dose' | 'combination' | 'practical';

export interface Medicine {
  readonly kind: 'drug' | 'class';
  readonly slug: string;
  readonly name: string;
  readonly input: string;
}

export interface Question {
  /** The question as the user typed it. */
  readonly text: string;
  /** The question with the names that a short follow-up leaves out, used for the search. */
  readonly searchText: string;
  readonly supplements: readonly SupplementRow[];
  readonly substances: readonly SubstanceRow[];
  /** Supplements and substances that the question excludes: "sleep supplements without melatonin". */
  readonly excluded: readonly (SupplementRow | SubstanceRow)[];
  readonly conditions: readonly ConditionRow[];
  /** Topics that are named directly or belong to a named condition. */
  readonly topics: readonly TopicRow[];
  readonly medicines: readonly Medicine[];
  /** Medicines named in earlier turns. They are never the subject of the question but are always checked for interactions. */
  readonly background: readonly Medicine[];
  readonly asks: ReadonlySet<Asks>;
  /**
   * Words that remain after names and question words are removed. An empty string means that the question is about the
   * supplement in general.
   */
  readonly rest: string;
  /** True when a yes to the question counts against the supplement: "is it useless". */
  readonly reversed: boolean;
  /** True when the question takes its subject from an earlier turn. */
  readonly followsUp: boolean;
  /** Limits that the request sets on the sources, in addition to the question. */
  readonly limits: {
    /** Slug of a supplement or substance. */
    readonly subject: string | null;
    readonly vertical: string | null;
    /** Values that match no supplement or vertical. When there are any, no source fits. */
    readonly unknown: readonly { readonly field: 'supplement' | 'vertical'; readonly value: string }[];
  };
  readonly mentions: readonly Mention[];
  readonly resolved: readonly { input: string; id: string; type: string; match_type: string }[];
}

const HARM =
  /\b(?:safe(?:ly|ty)?|unsafe|side.?effects?|harm(?:s|ful|ed)?|hurts?|risk(?:s|y)?|dangers?|dangerous|adverse|toxic(?:ity)?|bad for|damag\w*|worsen\w*|warnings?|contra-?indicat\w*|tolerated|tolerability|hepatotoxic\w*|cause(?:s|d)? (?:cancer|liver|kidney|bleeding|harm))\b/i;
const DOSE =
  /\b(?:how much|how many|dos(?:e|es|age|ing)|mg|mcg|µg|iu|(?:grams?|tablets?|capsules?|pills?|scoops?|times) (?:a|per|each|every) day|a day|daily (?:amount|intake)|per day|each day|upper limit|max(?:imum)?)\b/i;
const COMBINATION =
  /\b(?:with|together|combin\w+|interact\w*|mix(?:ing|ed)?|alongside|while (?:on|taking|using)|if (?:i|you|she|he|they) (?:take|use|am on|is on|are on)|at the same time|on top of|stack(?:ing)?|and)\b/i;
/** Matches a question about harm that a supplement may cause. */
const CAUSED =
  /\b(?:caus(?:e|es|ed|ing)|trigger(?:s|ed)?|lead(?:s)? to|addict\w*|habit.?forming|dependen(?:ce|cy|t on)|withdrawal|gives? (?:you|me|people))\b/i;
const PRACTICAL =
  /\b(?:how (?:long|soon|quickly|fast)|when (?:should|do|is|to|can)|what time|(?:best|right) time|time of day|morning or (?:night|evening)|before or after|(?:which|what|best|better) (?:\w+ )?(?:brands?|forms?|types?|kinds?|product)|where (?:to|can i|do i) (?:buy|get))\b/i;
const REVERSED =
  /\b(?:useless|ineffective|worthless|pointless|no better than|(?:not|n['’]t) (?:work|help|effective|useful|do anything)|fail(?:s|ed)? to|lack(?:s)? (?:of )?(?:an )?effect|no (?:effect|benefit)|overrated|waste of|debunked|a myth|placebo only)\b/i;

/** Matches a lowered risk, which is a benefit and not a harm. */
const RISK_LOWERED =
  /\b(?:lower|reduc|decreas|cut|prevent|protect|diminish|less|lower)\w*(?: \w+){0,3} risks?\b|\brisk (?:reduction|factors?)\b/gi;

export const readAsks = (text: string): ReadonlySet<Asks> => {
  const asks = new Set<Asks>();
  if (HARM.test(text.replace(RISK_LOWERED, ' '))) asks.add('harm');
  if (DOSE.test(text)) asks.add('dose');
  if (COMBINATION.test(text)) asks.add('combination');
  if (PRACTICAL.test(text)) asks.add('practical');
  if (!asks.has('harm')) asks.add('effect');
  return asks;
};

const ALLOWED = /\b(?:ok|okay|alright|all right|allowed|advisable|a problem)\b|\bfine (?:to|with|for|if)\b/i;
const MAY_I =
  /\b(?:can|could|may|should) (?:i|we|she|he|they|you|my \w+) (?:\w+ )?(?:take|have|use|drink|eat|mix|combine|add)\b/i;

/**
 * Returns the intents of a question that names a supplement. Questions about what it causes, or whether it may be taken with
 * something, count as `harm`.
 */
export const readAsksOfNamed = (text: string): ReadonlySet<Asks> => {
  const asks = new Set(readAsks(text));
  const mayI = ALLOWED.test(text) || (asks.has('combination') && MAY_I.test(text));
  if (!CAUSED.test(text) && !mayI) return asks;
  asks.delete('effect');
  return asks.add('harm');
};

/** Returns whether the question compares several things instead of asking about one: "X or Y", "X versus Y". */
export const comparesNamed = ({ text, supplements, substances }: Question): boolean =>
  supplements.length + substances.length > 1 &&
  /\b(?:or|vs\.?|versus|than|compared|comparison|difference between|better|which)\b/i.test(text);

export const isReversed = (text: string): boolean => REVERSED.test(text);

/** Question words and other words that name nothing. Sources need not contain them. */
const ASKING = new Set(
  `does do did is are was were can could should would will may might has have had be been being am what which who whom whose when where
  why how any some anything something much many more most less least very really actually there this that these those it its they them
  their i me my we our us you your he she him her his a an the of for to in on at by with without from as about into than then so if or
  and but not no yes out up down off over under again also just only ever never all both each other same such
  tell know show say says said think find found give gave explain please hello hi thanks want need like want wondering wonder curious
  good bad well best better worth right ok okay fine proven prove proof true false real myth thing things way ways kind
  help helps helped helping work works worked working effect effects effective effectiveness efficacy affect affects benefit benefits
  beneficial useful use uses used using take takes taking taken treat treats treating treatment improve improves improved improving
  improvement reduce reduces reducing increase increases raise raises lower lowers boost boosts support supports prevent prevents
  relieve relieves ease eases cure cures preventing prevention useless ineffective worthless pointless overrated myth hype waste money
  damage damages damaging hurt hurts worsen worsens raising lowering easing unwanted seen anything dangers combine combined combining together
  build builds building gain gains gaining grow grows growing manage control controls fight fights protect protects slow slows stop stops
  speed keep keeps maintain shorten shortens strengthen older old elderly amount level levels
  interact interacts interaction mix mixing mixed advice opinion question answer make makes get gets getting impact influence
  evidence research researchers science scientific study studies trial trials data literature review reviews meta-analysis meta
  analysis randomised randomized controlled placebo compared comparison versus vs
  supplement supplements supplementation supplementing supplemented vitamin mineral herb herbs herbal extract pill pills tablet tablets
  capsule capsules powder oral orally daily dose doses dosage day days week weeks month months year years mg mcg iu gram grams amount
  people person persons patient patients human humans adult adults man men woman women someone anyone everybody healthy
  safe safely safety unsafe side harm harms harmful risk risks risky danger dangers dangerous adverse event events toxic toxicity
  warning warnings long short term recommended recommend currently recent recently latest new today according based
  wife husband mother father mum mom dad friend son daughter partner sister brother grandmother grandfather doctor told suggested
  one two three four five six ten twice once
  too max maximum don't doesn't isn't ok
  role between among during after before due via per`.split(/\s+/),
);

/** Matches a question about which options exist for an outcome, as opposed to a question about one supplement. */
const WHICH_HELPS =
  /\b(?:which|what (?:else )?(?:\w+ )?(?:helps?|works?|eases?|relieves?|reduces?|improves?|lowers?|supplements?|herbs?|vitamins?|minerals?|can|might|could|may|to take|should|do|does|is (?:the |a )?(?:best|good|strongest|most|proven|known|there)|are (?:the |some )?(?:best|good|strongest|most|proven|known|there))|best|strongest|supplements?|vitamins?|minerals?|herbs?|herbal|remed(?:y|ies)|anything|something|options|natural)\b/i;
export const asksWhichHelp = (text: string): boolean => WHICH_HELPS.test(text);

/** Matches text directly before a name that shows that the name is excluded. */
const LEAVES_OUT =
  /\b(?:without|except(?: for)?|excluding|other than|apart from|besides|aside from|minus|free of|but not|not|no|avoiding|instead of|alternatives? to|rather than)(?: (?:any|using|taking|the|including|all))*\s*$/i;
const GOES_ON = /^\s*(?:,|or|and|nor|\/|, or|, and)\s*$/i;

/**
 * Returns the names that a "which helps" question excludes. A question that keeps a supplement beside them is about both
 * ("does vitamin D work without vitamin K") and excludes nothing.
 */
export const leftOut = (text: string, mentions: readonly Mention[]): readonly Mention[] => {
  const named = mentions.filter(({ kind }) => kind === 'supplement' || kind === 'substance');
  const out: Mention[] = [];
  for (const mention of named) {
    const last = out.at(-1);
    const follows = last && GOES_ON.test(text.slice(last.end, mention.start));
    const same = last?.start === mention.start;
    if (same || follows || LEAVES_OUT.test(text.slice(0, mention.start))) out.push(mention);
  }
  return out.length === named.length && asksWhichHelp(text) ? out : [];
};

/** Returns the words of a question without its names and its question words. */
export const restOf = (text: string, mentions: readonly Mention[]): string => {
  let bare = text;
  // One name may have two meanings: its position is removed only once.
  const places = new Map(mentions.map(({ start, end }) => [start, { start, end }]));
  for (const { start, end } of [...places.values()].sort((a, b) => b.start - a.start))
    bare = `${bare.slice(0, start)} ${bare.slice(end)}`;
  return (bare.match(/[\p{L}\p{N}]+(?:[-'’][\p{L}\p{N}]+)*/gu) ?? [])
    .filter((word) => !ASKING.has(word.toLowerCase().replace(/['’]s$/, '')) && !/^\d+$/.test(word))
    .join(' ');
};

/** Returns whether the question is about a supplement in general, so that its sources cover many outcomes. */
export const isOverview = ({ topics, rest, asks, supplements, medicines }: Question): boolean =>
  supplements.length > 0 && !topics.length && !rest && !asks.has('harm') && !medicines.length;

/** Returns the conditions that have no topic of their own and are filed only under a wider topic. */
export const narrowConditions = ({ conditions, topics }: Question): readonly ConditionRow[] =>
  conditions.filter(({ slug, name }) => !topics.some((topic) => topic.slug === slug || topic.name === name));
