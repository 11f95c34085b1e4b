/** Defines the shapes of a label from the label database, which importers build, the table stores and pages read. */

/** Where an ingredient and its amount come from: the facts panel, or only the product's name. */
export type IngredientSource = 'label' | 'name';

/** A row of the facts panel; blends contain their members in `children`. */
export interface Ingredient {
  readonly name: string;
  /** Null when the label prints no amount; never 0 in that case. */
  readonly amount: number | null;
  readonly unit: string;
  /** `=`, `<` or `>`; "" when there is no amount. */
  readonly operator: string;
  readonly dv_percent: number | null;
  readonly is_blend: boolean;
  readonly category: string;
  readonly group: string;
  /** Ten letters and digits, or "". */
  readonly unii: string;
  /** The chemical or botanical form that is printed with it: "magnesium citrate". */
  readonly form: string;
  readonly supplement_slug: string | null;
  readonly source: IngredientSource;
  readonly children: readonly Ingredient[];
}

export interface Statement {
  readonly type: string;
  readonly text: string;
}

export interface Contact {
  readonly name: string;
  /** `manufacturer`, `distributor`, `packager`, `reseller`, `other` */
  readonly roles: readonly string[];
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly country: string;
  readonly phone: string;
  readonly email: string;
  readonly web: string;
}

export interface LabelRelation {
  readonly dsld_id: number;
  readonly type: string;
}

/**
 * Kind of file that a value comes from. `dsld-json`: label of API v9; `dsld-amounts`, `dsld-mineral`: lists of labels with
 * amounts; `dsld-csv`: the download; `dsld-list`: the product list of 2019.
 */
export type Origin = 'dsld-json' | 'dsld-amounts' | 'dsld-mineral' | 'dsld-csv' | 'dsld-list';

/** Fields of a label that a file can state; an absent member was not stated. */
export interface Told {
  readonly name?: string;
  readonly brand?: string;
  /** As printed: digits with spaces, or a shop's own code. */
  readonly upc_printed?: string;
  readonly form?: Coded;
  readonly product_type?: Coded;
  readonly serving_size?: string;
  readonly servings_per_container?: string;
  readonly net_contents?: string;
  readonly market?: MarketStatus;
  readonly entry_date?: string;
  readonly label_version?: string;
  readonly target_groups?: readonly string[];
  readonly claims?: readonly string[];
  readonly contacts?: readonly Contact[];
  readonly other_ingredients?: readonly string[];
  readonly statements?: readonly Statement[];
  /** The single statement in the overview of products; used only when no file has all statements. */
  readonly suggested_use?: string;
  /** The whole facts panel. */
  readonly ingredients?: readonly Ingredient[];
  /** Some rows of the facts panel only. */
  readonly some_ingredients?: readonly Ingredient[];
  readonly label_relations?: readonly LabelRelation[];
}
export type ToldField = keyof Told;

/** A word with its LanguaL code; the code is "" when only the word is known. */
export interface Coded {
  readonly code: string;
  readonly words: string;
}

export interface MarketStatus {
  readonly onMarket: boolean;
  /** Day on which the product left the market, when the file states it. */
  readonly leftOn: string | null;
}

/** The values that one file states for one label. */
export interface LabelPatch {
  readonly dsldId: number;
  readonly origin: Origin;
  /** Day on which the values were valid, YYYY-MM-DD. */
  readonly asOf: string;
  readonly told: Told;
}

/** Provenance: the fields of a product that come from one file. */
export interface OriginNote {
  readonly origin: Origin;
  readonly as_of: string;
  readonly fields: readonly ToldField[];
}

/** Where the ingredients of a product come from. */
export type IngredientsExtent = 'label' | 'partial' | 'name' | 'none';
