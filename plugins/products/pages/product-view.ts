/**
 * Builds the view of a product’s page for its template: safety first, then the label, then the evidence, then the provenance.
 */
import { type Static, Type } from 'typebox';
import { CrumbList, inSentence } from '#plugins/evidence/index.ts';
import type { LoadedCard } from '../catalogue.ts';
import type { ImageReply } from '../images/schemas.ts';
import { labelAddress } from '../product-view.ts';
import type { ProductCard } from '../schemas.ts';
import { DoseLine, doseLines } from './dose-view.ts';
import {
  EvidenceLine,
  evidenceLines,
  InteractionLine,
  interactionLines,
  type KnownInteractions,
  namesInSentence,
} from './evidence-view.ts';
import { LabelView, labelView, MarketView, marketView } from './label-view.ts';
import { dayWords } from './product-figures.ts';

const FlagView = Type.Object({
  level: Type.String({ enum: ['warning', 'caution', 'info'] }),
  word: Type.String(),
  text: Type.String(),
  advice: Type.String(),
  href: Type.String(),
});

const ImageView = Type.Object({
  href: Type.String(),
  thumb: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  kind: Type.String(),
  credit: Type.String(),
});
type ImageView = Static<typeof ImageView>;

export const ProductView = Type.Object({
  crumbs: CrumbList,
  name: Type.String(),
  brand: Type.String(),
  brandHref: Type.String(),
  answer: Type.String(),
  form: Type.String(),
  kind: Type.String(),
  gtin: Type.String(),
  market: MarketView,
  flags: Type.Array(FlagView),
  interactions: Type.Array(InteractionLine),
  label: LabelView,
  evidence: Type.Array(EvidenceLine),
  doses: Type.Array(DoseLine),
  images: Type.Array(ImageView),
  dsldId: Type.Integer(),
  sourceHref: Type.String(),
  entered: Type.String(),
  version: Type.String(),
  relations: Type.Array(Type.Object({ name: Type.String(), href: Type.String() })),
});
export type ProductView = Static<typeof ProductView>;

type Recall = ProductCard['recalls'][number];

/** Title, severity and advice for each flag. */
const FLAGS: Readonly<Record<string, readonly ['warning' | 'caution' | 'info', string, string]>> = {
  recalled: [
    'warning',
    'Recalled',
    'Read the notice before using any of it, and ask a doctor or pharmacist if you have.',
  ],
  warned_substance: ['warning', 'Warned substance', 'Ask a doctor or pharmacist before using it.'],
  above_upper_limit: ['warning', 'Above the upper limit', 'Ask a doctor or pharmacist before taking it.'],
  name_above_upper_limit: [
    'caution',
    'Much by its name',
    'Read the label, and ask a doctor or pharmacist before taking it.',
  ],
  off_market: ['caution', 'Off the market', 'What is sold under this name today may differ from this label.'],
  amounts_unknown: ['info', 'Amounts not known', ''],
};

/** Returns the reason followed by the notice; the template puts the word "Recalled" before both. */
const recallText = ({ recall_number: number, classification, status, reason, initiation_date: day }: Recall): string =>
  `${reason.replace(/\.$/, '')} (${[`notice ${number}`, classification, status, dayWords(day)].filter(Boolean).join(', ')}).`;

const flagsOf = ({ safety_flags: flags, recalls }: ProductCard): Static<typeof FlagView>[] =>
  flags.map(({ code, text, href }) => {
    const [level, word, advice] = FLAGS[code] ?? (['caution', 'Note', ''] as const);
    const recall = code === 'recalled' ? recalls.find(({ recall_number: number }) => text.includes(number)) : undefined;
    return { level, word, text: recall ? recallText(recall) : text, advice, href: /^https?:/.test(href) ? href : '' };
  });

const evidenceSentence = ({ row, lines }: LoadedCard): string => {
  if (!lines.length) {
    return row.ingredients.length
      ? 'None of its ingredients is a supplement that this base covers, so there is no evidence to show.'
      : 'Its ingredients are not in our data, and its name tells none for certain; so this page says nothing on what it does.';
  }
  const from = row.ingredientsExtent === 'name' ? 'From its name we read ' : 'This base covers ';
  const tiers = lines.flatMap(({ facts }) => facts.bestTier ?? []).sort();
  const best = tiers[0]
    ? `the best source on ${lines.length > 1 ? 'any of them' : 'it'} is tier ${tiers[0]}`
    : 'no source on it is graded yet';
  const where = row.ingredientsExtent === 'name' ? ' only' : ' in it';
  return `${from}${namesInSentence(lines)}${where}; ${best}.`;
};

/** Maximum length of a text in the head of the page; a longer one appears below it. */
const LONGEST_FACT = 200;
const NO_FLAG = 'No recall and no warned substance is linked to it in our data, which does not mean that it is safe.';

const safetySentence = (flags: ProductView['flags'], interactions: ProductView['interactions']): string => {
  const [first] = flags;
  if (first && first.level !== 'info') {
    return first.text.length <= LONGEST_FACT ? `${first.word}: ${first.text}` : `${first.word}: see below.`;
  }
  const [worst] = interactions;
  return worst?.severity
    ? `Interactions with medicines are on record for ${inSentence(worst.name)}, the gravest rated “${worst.severity.word.toLowerCase()}”.`
    : NO_FLAG;
};

const whatItIs = ({ row }: LoadedCard): string => {
  const form = row.form && !/^other/i.test(row.form) ? `, ${row.form.toLowerCase()}` : '';
  return `A dietary supplement${row.brand && ` by ${row.brand}`}${form}: label ${row.dsldId} of the Dietary Supplement Label Database.`;
};

const IMAGE_WORDS: Readonly<Record<string, string>> = {
  front: 'Front of the package',
  facts: 'Facts panel',
  ingredients: 'Ingredients',
  back: 'Back of the package',
};

const imageViews = (images: readonly ImageReply[]): ImageView[] =>
  images.map((image) => ({
    href: image.url,
    thumb: image.thumb_url,
    width: image.width,
    height: image.height,
    kind: IMAGE_WORDS[image.kind] ?? 'Package',
    credit: [image.attribution, image.license].filter(Boolean).join(', '),
  }));

/** Formats a GTIN-14 as packages print it: 8, 12 or 13 digits when the leading zeros are only padding. */
const printedCode = (gtin: string): string => gtin.replace(/^(?:000000(?=\d{8}$)|00(?=\d{12}$)|0(?=\d{13}$))/, '');

export const productView = (
  loaded: LoadedCard,
  known: KnownInteractions,
  images: readonly ImageReply[],
): ProductView => {
  const { card, row, lines } = loaded;
  const flags = flagsOf(card);
  const interactions = interactionLines(lines, known);
  const brandHref = row.brandSlug ? `/brands/${row.brandSlug}` : '';
  return {
    crumbs: [
      { name: 'Brands', href: '/brands' },
      ...(brandHref ? [{ name: row.brand, href: brandHref }] : []),
      { name: row.name, href: `/product/${row.dsldId}` },
    ],
    name: row.name,
    brand: row.brand,
    brandHref,
    answer: [whatItIs(loaded), evidenceSentence(loaded), safetySentence(flags, interactions)].join(' '),
    form: row.form,
    kind: row.productType,
    gtin: printedCode(row.upc) || row.upcPrinted,
    market: marketView(loaded),
    flags,
    interactions,
    label: labelView(row),
    evidence: evidenceLines(lines),
    doses: doseLines(lines, row.ingredientsExtent),
    images: imageViews(images),
    dsldId: row.dsldId,
    sourceHref: card.source_url,
    entered: dayWords(card.entry_date),
    version: row.labelVersion,
    // These links lead to the label database, because whether the other label is in this base may change without an update of
    // this page.
    relations: card.label_relations.map(({ dsld_id: id, type }) => ({
      name: `${id} (${type})`,
      href: labelAddress(id),
    })),
  };
};
