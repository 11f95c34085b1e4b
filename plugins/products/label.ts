/** A label as the database of labels tells it: the shapes that importers make, the table keeps and pages read. */

/** Where an ingredient and its amount stand: in the facts panel, or only in the product's name. */
export type IngredientSource = 'label' | 'name';

/** A row of the facts panel; blends hold their members in `children`. */
export interface Ingredient {
  readonly name: string;
  /** Null when the label prints none; never 0 for that. */
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
  /** The chemical or botanical form that is named with it: "magnesium citrate". */
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
 * Which kind of file told something. `dsld-json`: label of API v9; `dsld-amounts`, `dsld-mineral`: lists of labels with
 * amounts; `dsld-csv`: the download; `dsld-list`: the product list of 2019.
 */
export type Origin = 'dsld-json' | 'dsld-amounts' | 'dsld-mineral' | 'dsld-csv' | 'dsld-list';

/** What a file can tell of a label; a member that is absent was not told. */
export interface Told {
  readonly name?: string;
  readonly brand?: string;
  /** As printed: digits with blanks, or a shop's own code. */
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
  /** The one statement that the overview of products has; counts only where no file tells all of them. */
  readonly suggested_use?: string;
  /** The whole facts panel. */
  readonly ingredients?: readonly Ingredient[];
  /** Some rows of the facts panel only. */
  readonly some_ingredients?: readonly Ingredient[];
  readonly label_relations?: readonly LabelRelation[];
}
export type ToldField = keyof Told;

/** A word with its LanguaL code; the code is "" where only the word is known. */
export interface Coded {
  readonly code: string;
  readonly words: string;
}

export interface MarketStatus {
  readonly onMarket: boolean;
  /** The day on which it left the market, when the file says so. */
  readonly leftOn: string | null;
}

/** What one file tells of one label. */
export interface LabelPatch {
  readonly dsldId: number;
  readonly origin: Origin;
  /** The day on which it was true, YYYY-MM-DD. */
  readonly asOf: string;
  readonly told: Told;
}

/** Which fields of a product stand on which file. */
export interface OriginNote {
  readonly origin: Origin;
  readonly as_of: string;
  readonly fields: readonly ToldField[];
}

/** What the ingredients of a product rest on. */
export type IngredientsExtent = 'label' | 'partial' | 'name' | 'none';
