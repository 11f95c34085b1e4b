/** Request and response schemas of the interaction endpoints. */
import { type Static, type TSchema, Type } from 'typebox';
import { TIERS } from '#plugins/evidence/index.ts';
import { OriginCode } from '#plugins/vocabulary/index.ts';
import { COVERAGES } from '../book/coverage.ts';
import { THROUGH } from '../drugs/properties.ts';
import { EVIDENCE_BASES } from '../rules/cited-sources.ts';
import { BASES } from '../rules/grounds.ts';
import { DEPLETION_KINDS } from '../rules/schemas.ts';
import { ACTIONS, LIKELIHOODS, MECHANISMS, ONSETS, RULE_DIRECTIONS, SEVERITIES } from '../rules/severity-labels.ts';
import { SEVERITY_FACTORS } from '../rules/severity-rule.ts';

const word = (values: readonly string[]) => Type.String({ enum: [...values] });
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Name = Type.String({ maxLength: 200, default: '' });

export const CheckQuery = Type.Object({
  supplement: Type.String({
    maxLength: 200,
    default: '',
    description: 'Slug, name, synonym, Latin name or misspelling.',
  }),
  drug: Type.String({ maxLength: 200, default: '', description: 'Generic or brand name, class, or misspelling.' }),
});

export const ListQuery = Type.Object({
  supplement: Name,
  drug: Name,
  severity: Type.Optional(word(SEVERITIES)),
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
  page_size: Type.Integer({ minimum: 0, maximum: 50_000, default: 0, description: '0: everything.' }),
});
export type ListQuery = Static<typeof ListQuery>;

const MAX_ITEMS = 30;
const Items = Type.Array(Type.String({ maxLength: 120 }), { maxItems: MAX_ITEMS, default: [] });
export const StackBody = Type.Object({
  supplements: Items,
  drugs: Items,
  foods: Items,
  conditions: Type.Array(Type.String({ maxLength: 120 }), {
    maxItems: MAX_ITEMS,
    default: [],
    description: 'States of a person, such as pregnancy, surgery, kidney disease.',
  }),
});

const Suggestion = Type.Object({ name: Type.String(), kind: Type.String(), slug: Type.String() });
const Resolved = Type.Object({
  kind: word(['supplement', 'substance', 'drug', 'class']),
  slug: Type.String(),
  name: Type.String(),
  rxcui: Type.Optional(Type.String({ description: 'Of a drug; "" where none is known, and for a class.' })),
  input: Type.String(),
  match_type: Type.String(),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  ingredients: Type.Optional(Type.Array(Type.String())),
  form: Type.Optional(
    Type.Object(
      { slug: Type.String(), name: Type.String() },
      { description: 'The form, food or product that was named, where it differs from the supplement.' },
    ),
  ),
  substance_kind: Type.Optional(
    Type.String({
      description: 'Of what has no page as a supplement, and of a supplement that is banned or restricted.',
    }),
  ),
  statement: Type.Optional(Type.String()),
  authority: Type.Optional(nullable(Type.Object({ name: Type.String(), address: Type.String() }))),
  status_as_of: Type.Optional(
    nullable(Type.String({ description: 'Month to which the authority’s position is known.' })),
  ),
});

export const SourceJson = Type.Object({
  source_id: Type.String({ description: 'Of a source in the base; "" for an authority’s page or a title only.' }),
  pmid: Type.String(),
  doi: Type.String(),
  title: Type.String(),
  year: nullable(Type.Integer()),
  quality_tier: word([...TIERS, '']),
  quote: Type.String(),
  section: Type.String({ description: 'Of a drug label, as openFDA names it; "" for other sources.' }),
  date: Type.String({ description: 'Day or month of the edition of a drug label; "" for other sources.' }),
  kind: word([...EVIDENCE_BASES]),
  journal: Type.String(),
  authority: Type.String(),
  url: Type.String(),
  retraction_status: Type.String(),
  summary: Type.String(),
});

const slugAndName = Type.Object({ slug: Type.String(), name: Type.String() });
const severity = word(SEVERITIES);
const basis = word(['pair', 'class']);
const coverage = word(COVERAGES);
const timing = nullable(Type.Object({ separate_hours: nullable(Type.Number()), note: nullable(Type.String()) }));

const OtherForms = Type.Array(
  Type.Object({ form: slugAndName, of_rule: Type.String(), severity, note: Type.String() }),
  {
    description: 'Rules that hold for other forms of the supplement, not for the one that was named, with the reason.',
  },
);

const GroundsJson = Type.Object(
  {
    basis: word(BASES),
    statement: Type.String({ description: 'The same in one line.' }),
    properties: Type.Array(
      Type.Object({
        property: Type.String(),
        value: Type.String(),
        strength: Type.String(),
        basis: Type.String({ description: '`label`, `practice` (pending a source), or the name of an authority.' }),
        set_id: Type.String(),
        section: Type.String(),
        sentence: Type.String(),
        url: Type.String(),
      }),
      { description: 'What was read of the medicine; [] for a rule about a whole class.' },
    ),
    mechanisms: Type.Array(
      Type.Object({
        constituent: Type.String(),
        action: Type.String(),
        target: word(THROUGH),
        strength: Type.String(),
        dose: Type.String(),
        basis: Type.String(),
        sentence: Type.String(),
        shown_in: word(['people', 'laboratory']),
        url: Type.String(),
      }),
      { description: 'What is known of the supplement.' },
    ),
    studies: Type.Array(SourceJson),
  },
  {
    description:
      'What the rule rests on for this pair: `studied`, `label` (the label of the medicine names the supplement), `authority`, `mechanism` (both halves are known), `practice` (professional knowledge, no source opened yet), `theory` (one half is not known).',
  },
);

/** Members that every rule has, without the two sides that it is about. */
export const ruleMembers = {
  slug: Type.String(),
  severity,
  severity_reasons: Type.Array(
    Type.Object({
      factor: word(SEVERITY_FACTORS),
      level: Type.String(),
      text: Type.String(),
      points_to: nullable(severity),
    }),
    {
      description:
        'What the written rule reads in this record: see /methodology#severity. The entered severity stands.',
    },
  ),
  action: word(ACTIONS),
  effect: Type.String(),
  direction: word(RULE_DIRECTIONS),
  mechanism: Type.Object({
    type: word(MECHANISMS),
    detail: Type.String(),
    through: Type.Array(word(THROUGH), { description: 'What it works through; [] where that is not known.' }),
  }),
  likelihood: Type.String({
    enum: [...LIKELIHOODS],
    description:
      '`likely` only where the pair was studied or the label of the medicine names it; theory is `possible` at most.',
  }),
  grounds: GroundsJson,
  evidence_tier: word(TIERS),
  evidence_basis: word([...EVIDENCE_BASES]),
  origin: OriginCode,
  onset: word(ONSETS),
  recommendation: Type.String(),
  timing,
  dose_threshold: nullable(
    Type.Object({
      amount: Type.Number(),
      unit: Type.String(),
      per: nullable(Type.String()),
      note: nullable(Type.String()),
    }),
  ),
  basis,
  via_class: nullable(slugAndName),
  only_for: nullable(slugAndName),
  exceptions: Type.Array(Type.Object({ slug: Type.String(), drug: Type.String(), note: Type.String() })),
  sources: Type.Array(SourceJson),
  reviewed_at: Type.String(),
};
const findingMembers = {
  ...ruleMembers,
  also: Type.Array(Type.Object(ruleMembers)),
  other_forms: Type.Optional(OtherForms),
  coverage,
  confidence: Type.Number(),
  needs_confirmation: Type.Boolean(),
  url: Type.String(),
  disclaimer_url: Type.String(),
};

export const CHECK_STATUSES = ['found', 'no_record', 'not_covered', 'unresolved'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];
const status = Type.String({
  enum: [...CHECK_STATUSES],
  description: 'As in the cells of a stack. `not_covered`: two medicines; nothing was looked up.',
});
const Authorities = Type.Array(Type.Object({ name: Type.String(), url: Type.String() }), {
  description: 'Where authorities say what a medicine must not meet, for pairs that are not covered here.',
});
const hint = Type.Optional(nullable(Type.String({ description: 'Which name stood in the place of the other.' })));

const Found = Type.Object({
  found: Type.Literal(true),
  checked: Type.Literal(true),
  status,
  supplement: Resolved,
  drug: Resolved,
  ...findingMembers,
  resolved: Type.Object({ supplement: Resolved, drug: Resolved }),
  suggestions: Type.Optional(Type.Array(Suggestion)),
  hint,
  searched_at: Type.String({ format: 'date-time' }),
});
const NotFound = Type.Object({
  found: Type.Literal(false),
  checked: Type.Literal(true),
  status,
  coverage,
  resolved: Type.Object({ supplement: nullable(Resolved), drug: nullable(Resolved) }),
  suggestions: Type.Optional(Type.Array(Suggestion)),
  hint,
  instead: Type.Optional(
    Type.Unknown({ description: 'Always null: the answer itself takes each name for what it is, in either place.' }),
  ),
  authorities: Type.Optional(Authorities),
  known_exceptions: Type.Array(
    Type.Object({ drug: Type.String(), note: Type.String(), of_rule: Type.String(), class: Type.String() }),
  ),
  other_forms: Type.Optional(OtherForms),
  confidence: Type.Optional(Type.Number()),
  needs_confirmation: Type.Boolean(),
  message: Type.String(),
  disclaimer_url: Type.String(),
  searched_at: Type.String({ format: 'date-time' }),
});
const NothingChecked = Type.Object({
  found: Type.Literal(false),
  checked: Type.Literal(false),
  message: Type.String(),
});
export const CheckReply = Type.Union([Found, NotFound, NothingChecked]);

export const PairRow = Type.Object({
  slug: Type.String(),
  supplement_slug: Type.String(),
  supplement: Type.String(),
  drug: Type.String(),
  rxcui: Type.String(),
  drug_class: Type.String({
    description: 'Slug of the class that the rule is about, or that the drug is in; or "".',
  }),
  severity,
  effect: Type.String(),
  basis,
  evidence_tier: word(TIERS),
  source_count: Type.Integer(),
  url: Type.String(),
});
export const ListReply = Type.Array(PairRow);

const End = Type.Object({
  input: Type.String(),
  slug: nullable(Type.String()),
  name: Type.String(),
  kind: nullable(Type.String()),
});
const Cell = Type.Object({
  a: End,
  b: End,
  status: word(['found', 'no_record', 'not_covered', 'unresolved']),
  severity: Type.Optional(severity),
  action: Type.Optional(word(ACTIONS)),
  effect: Type.Optional(Type.String()),
  slug: Type.Optional(Type.String()),
  basis: Type.Optional(basis),
  coverage: Type.Optional(coverage),
  url: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
});

const weighed = {
  likelihood: word(LIKELIHOODS),
  evidence_tier: word(TIERS),
  evidence_basis: word([...EVIDENCE_BASES]),
  origin: OriginCode,
  sources: Type.Array(SourceJson),
};
export const Caution = Type.Object({
  id: Type.String(),
  supplement: Type.Object({ slug: Type.String(), name: Type.String(), kind: Type.String() }),
  condition: Type.String(),
  condition_name: Type.String(),
  severity,
  action: word(ACTIONS),
  effect: Type.String(),
  recommendation: Type.String(),
  ...weighed,
});
const depletionMembers = {
  slug: Type.String(),
  with: Type.Object({ kind: word(['drug', 'class']), slug: Type.String(), name: Type.String() }),
  nutrient: slugAndName,
  kind: word(DEPLETION_KINDS),
  effect: Type.String(),
  note: Type.String(),
  onset: nullable(Type.String()),
  ...weighed,
};
const counts = Type.Record(Type.String(), Type.Integer());

export const StackReply = Type.Object({
  resolved: Type.Array(Type.Intersect([Type.Object({ given_as: Type.String() }), Resolved])),
  unresolved: Type.Array(
    Type.Object({ given_as: Type.String(), input: Type.String(), suggestions: Type.Array(Suggestion) }),
  ),
  duplicates: Type.Array(Type.Object({ input: Type.String(), same_as: Type.String() })),
  conditions: Type.Array(Type.String()),
  confidence: Type.Number(),
  needs_confirmation: Type.Boolean(),
  summary: Type.Object({
    worst: nullable(severity),
    counts,
    pairs: Type.Integer(),
    found: Type.Integer(),
    no_record: Type.Integer(),
    not_covered: Type.Integer(),
    unresolved: Type.Integer(),
  }),
  findings: Type.Array(Type.Object({ a: End, b: End, ...findingMembers })),
  matrix: Type.Array(Cell),
  cautions: Type.Array(Caution),
  depletions: Type.Array(Type.Object({ ...depletionMembers, drug: Type.String(), nutrient_in_stack: Type.Boolean() })),
  timing: Type.Array(
    Type.Object({
      a: Type.String(),
      b: Type.String(),
      slug: Type.String(),
      separate_hours: nullable(Type.Number()),
      note: nullable(Type.String()),
    }),
  ),
  coverage: Type.Array(Type.Object({ kind: Type.String(), slug: Type.String(), name: Type.String(), coverage })),
  never_studied: Type.Array(Type.Object({ a: Type.String(), b: Type.String() })),
  message: Type.String(),
  authorities: Authorities,
  disclaimer_url: Type.String(),
  searched_at: Type.String({ format: 'date-time' }),
});

export const DepletionQuery = Type.Object({ drug: Name, supplement: Name });
export const SignalQuery = Type.Object({ supplement: Name });

/** The echo of the given names, followed by the list. */
export const DepletionReply = Type.Object({
  resolved: Type.Array(Resolved),
  unresolved: Type.Array(Type.String()),
  depletions: Type.Array(Type.Object(depletionMembers)),
  message: Type.String(),
});
export const SignalReply = Type.Object({
  resolved: Type.Array(Resolved),
  unresolved: Type.Array(Type.String()),
  caveat: Type.String(),
  signals: Type.Array(
    Type.Object({
      supplement: Type.Object({ slug: Type.String(), name: Type.String() }),
      reports: Type.Integer(),
      serious: Type.Integer(),
      outcomes: counts,
      years: Type.String(),
      as_of: Type.String(),
      source: Type.Object({ name: Type.String(), address: Type.String() }),
      caveat: Type.String(),
    }),
  ),
  message: Type.String(),
});
