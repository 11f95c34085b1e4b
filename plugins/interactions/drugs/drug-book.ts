/** Types of the drug book: every drug and drug class by name, in memory. */
import type { MatchType } from '#core/search/name-index.ts';

/** One active moiety including its salts, or a combination of several. */
export interface Drug {
  /** Stable: the name in kebab case. */
  readonly slug: string;
  /** The generic name in lower case: "warfarin". */
  readonly name: string;
  /** RxNorm's concept; "" if our data has none. */
  readonly rxcui: string;
  /** Trade names in their usual spelling: "Coumadin". */
  readonly brands: readonly string[];
  /** Slugs of the active moieties: its own for a single drug, each one's for a combination. */
  readonly ingredients: readonly string[];
  /** Slugs of the classes that name it (of any ingredient, for a combination), including wider classes. */
  readonly classes: readonly string[];
}

/** A group of drugs, as given in content/drugs/classes.yaml. */
export interface DrugClass {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly atc: readonly string[];
  /** Slugs of the direct parent classes. */
  readonly parents: readonly string[];
  /** Ids of this class in public data. */
  readonly dataIds: readonly string[];
  /** Slugs of the drugs that the class and its narrower classes name. */
  readonly members: readonly string[];
}

/** The meaning of a name: a drug, or a class ("statins"); the other is null. */
export interface DrugResolution {
  readonly drug: Drug | null;
  readonly class: DrugClass | null;
  /** Display name of the match. */
  readonly name: string;
  /** The input as given. */
  readonly input: string;
  readonly match_type: MatchType;
  /** 0 to 1. */
  readonly confidence: number;
}

/** A line of the autocomplete: a drug under its generic or one of its brand names. */
export interface DrugSuggestion {
  /** Title case, with hyphens replaced by spaces. */
  readonly name: string;
  readonly drug: Drug;
}

export interface DrugBook {
  /** Returns the single best meaning; null if nothing is close enough, or if two things are equally close. */
  resolve(input: string): DrugResolution | null;
  /**
   * Returns names that begin with `q`, then those that contain it; shorter first within each tier, ties in alphabetical order;
   * drugs only.
   */
  suggest(q: string, limit: number): readonly DrugSuggestion[];
  /** Returns matches for "did you mean", best first. */
  near(input: string, limit: number): readonly DrugResolution[];
  drug(slug: string): Drug | undefined;
  readonly classes: ReadonlyMap<string, DrugClass>;
  /** Returns the drugs of the class and of its narrower classes, by name; combinations that contain one are excluded. */
  membersOf(classSlug: string): readonly Drug[];
  /** Returns the classes of a drug with all wider classes; for a combination, those of each ingredient. */
  classesOf(drugSlug: string): readonly string[];
  all(): Iterable<Drug>;
  /** Changes whenever anything in the book changes. */
  readonly version: string;
}
