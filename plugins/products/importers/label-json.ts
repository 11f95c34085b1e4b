/** Converts a label from API v9 of the database. */
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import { readCoded, wordsOf } from '../codes.ts';
import type { Coded, Contact, Ingredient, LabelRelation, MarketStatus, Statement, Told } from '../label.ts';
import { dayOf, isNotPrinted, listOf, numberOf, recordOf, textOf, textsOf, uniiOf, unitOf } from './values.ts';

type Json = Readonly<Record<string, unknown>>;

const codedOf = (table: 'form' | 'type', value: unknown): Coded | null => {
  const { langualCode, langualCodeDescription } = recordOf(value);
  const [code, given] = [textOf(langualCode), textOf(langualCodeDescription)];
  return code ? { code, words: wordsOf(table, code, given) } : readCoded(table, given);
};

const formsOf = (row: Json): string =>
  listOf(row.forms)
    .map(({ name }) => textOf(name))
    .filter((name) => name !== '')
    .join(', ');

/** Maximum depth of nesting; real labels have up to three levels of blends. */
const DEEPEST = 20;

const ingredientOf = (row: Json, depth = 0): Ingredient => {
  if (depth > DEEPEST) throw new UnreadableInput('nests its ingredients too deeply');
  // The facts panel refers to the first serving size.
  const quantity = listOf(row.quantity).toSorted(
    (one, two) => (numberOf(one.servingSizeOrder) ?? 0) - (numberOf(two.servingSizeOrder) ?? 0),
  )[0];
  const amount = !quantity || isNotPrinted(quantity.unit) ? null : numberOf(quantity.quantity);
  const category = textOf(row.category);
  return {
    name: textOf(row.name),
    amount,
    unit: amount === null ? '' : unitOf(quantity?.unit),
    operator: amount === null ? '' : textOf(quantity?.operator) || '=',
    dv_percent: numberOf(listOf(quantity?.dailyValueTargetGroup)[0]?.percent),
    is_blend: category === 'blend',
    category,
    group: textOf(row.ingredientGroup),
    unii: uniiOf(row.uniiCode),
    form: formsOf(row),
    supplement_slug: null,
    source: 'label',
    children: listOf(row.nestedRows).map((nested) => ingredientOf(nested, depth + 1)),
  };
};

const servingOf = (size: Json): string => {
  const [min, max] = [numberOf(size.minQuantity), numberOf(size.maxQuantity)];
  const count = min !== null && max !== null && max > min ? `${min} to ${max}` : (min ?? max ?? '');
  return `${count} ${textOf(size.unit)}`.trim();
};

export const servingsOf = (value: unknown): string =>
  [...new Set(listOf(value).map(servingOf))].filter((size) => size !== '').join('; ');

const contactOf = (contact: Json): Contact => {
  const details = recordOf(contact.contactDetails);
  return {
    name: textOf(details.name),
    roles: textsOf(contact.types).map((role) => role.toLowerCase()),
    address: textOf(details.streetAddress),
    city: textOf(details.city),
    state: textOf(details.state),
    zip: textOf(details.zipCode),
    country: textOf(details.country),
    phone: textOf(details.phoneNumber),
    email: textOf(details.email),
    web: textOf(details.webAddress),
  };
};

const claimsOf = (value: unknown): string[] =>
  listOf(value)
    .map(({ langualCode, langualCodeDescription }) =>
      wordsOf('claim', textOf(langualCode), textOf(langualCodeDescription)),
    )
    .filter((words) => words !== '');

const groupsOf = (label: Json): string[] => {
  const users = listOf(label.userGroups).map(({ langualCode, langualCodeDescription }) =>
    wordsOf('group', textOf(langualCode), textOf(langualCodeDescription)),
  );
  return [...new Set([...textsOf(label.targetGroups), ...users])].filter((group) => group !== '');
};

const marketOf = (label: Json): MarketStatus | null => {
  const off = numberOf(label.offMarket);
  if (off !== 0 && off !== 1) return null;
  const left = listOf(label.events).find(({ type }) => /off market/i.test(textOf(type)));
  return { onMarket: off === 0, leftOn: off === 1 && left ? dayOf(textOf(left.date)) : null };
};

/** Returns the lists of the label; a missing list counts as not stated. */
const lists = (label: Json): Told => ({
  ...(Array.isArray(label.contacts) && { contacts: listOf(label.contacts).map(contactOf) }),
  ...(Array.isArray(label.claims) && { claims: claimsOf(label.claims) }),
  ...((Array.isArray(label.targetGroups) || Array.isArray(label.userGroups)) && { target_groups: groupsOf(label) }),
  ...(Array.isArray(label.statements) && {
    statements: listOf(label.statements)
      .map(({ type, notes }): Statement => ({ type: textOf(type), text: textOf(notes) }))
      .filter(({ text }) => text !== ''),
  }),
  ...(Array.isArray(label.ingredientRows) && {
    ingredients: listOf(label.ingredientRows).map((row) => ingredientOf(row)),
  }),
  ...(Array.isArray(label.labelRelationships) && {
    label_relations: listOf(label.labelRelationships).flatMap(({ labelId, type }): LabelRelation[] => {
      const id = numberOf(labelId);
      return id === null ? [] : [{ dsld_id: id, type: textOf(type) }];
    }),
  }),
});

const otherIngredientsOf = (value: unknown): Told => {
  const { text, ingredients } = recordOf(value);
  if (!Array.isArray(ingredients) && !textOf(text)) return {};
  const names = listOf(ingredients).map(({ name }) => textOf(name));
  const named = names.filter((name) => name !== '' && name.toLowerCase() !== 'none');
  return { other_ingredients: named.length || !textOf(text) ? named : [textOf(text)] };
};

export const isApiLabel = (label: Json): boolean =>
  'ingredientRows' in label || ('fullName' in label && 'statements' in label);

export const toldByApi = (label: Json): Told => {
  const [form, type] = [codedOf('form', label.physicalState), codedOf('type', label.productType)];
  const [market, entry] = [marketOf(label), dayOf(textOf(label.entryDate))];
  return {
    name: textOf(label.fullName),
    brand: textOf(label.brandName),
    upc_printed: textOf(label.upcSku),
    serving_size: servingsOf(label.servingSizes),
    servings_per_container: textOf(label.servingsPerContainer),
    net_contents: listOf(label.netContents)
      .map(({ display }) => textOf(display))
      .filter((display) => display !== '')
      .join('; '),
    label_version: textOf(label.productVersionCode),
    ...(form && { form }),
    ...(type && { product_type: type }),
    ...(market && { market }),
    ...(entry && { entry_date: entry }),
    ...lists(label),
    ...otherIngredientsOf(label.otheringredients),
  };
};
