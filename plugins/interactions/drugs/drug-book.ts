/** Every drug and drug class by name, in memory. */
import type { MatchType } from '#core/search/name-index.ts';

/** One active moiety with its salts folded in, or a combination of several. */
export interface Drug {
  /** Stable: the name in kebab case. */
  readonly slug: string;
  /** The generic name, in lower case as the field writes it: "warfarin". */
  readonly name: string;
  /** RxNorm's concept; "" where none is in our data. */
  readonly rxcui: string;
  /** Trade names as they are written: "Coumadin". */
  readonly brands: readonly string[];
  /** Slugs of the active moieties: its own for a single drug, each one's for a combination. */
  readonly ingredients: readonly string[];
  /** Slugs of the classes that name it (of any ingredient, for a combination), wider classes included. */
  readonly classes: readonly string[];
}

/** A group of drugs as content/drugs/classes.yaml has it. */
export interface DrugClass {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly atc: readonly string[];
  /** Slugs of the wider classes right above. */
  readonly parents: readonly string[];
  /** Ids of the public data that mean this class. */
  readonly dataIds: readonly string[];
  /** Slugs of the drugs that the class and its narrower classes name. */
  readonly members: readonly string[];
}

/** What a name means: a drug, or a class ("statins"); the other is null. */
export interface DrugResolution {
  readonly drug: Drug | null;
  readonly class: DrugClass | null;
  /** Display name of what was found. */
  readonly name: string;
  /** The words as they were given. */
  readonly input: string;
  readonly match_type: MatchType;
  /** 0 to 1. */
  readonly confidence: number;
}

/** A line of the autocomplete: a drug under its generic or one of its brand names. */
export interface DrugSuggestion {
  /** Title case, hyphens as blanks. */
  readonly name: string;
  readonly drug: Drug;
}

export interface DrugBook {
  /** The one best meaning; null when nothing is near enough, or two things are equally near. */
  resolve(input: string): DrugResolution | null;
  /** Names that begin with, then contain, `q`; shorter first within a tier, ties by alphabet; drugs only. */
  suggest(q: string, limit: number): readonly DrugSuggestion[];
  /** For "did you mean", best first. */
  near(input: string, limit: number): readonly DrugResolution[];
  drug(slug: string): Drug | undefined;
  readonly classes: ReadonlyMap<string, DrugClass>;
  /** Drugs of the class and of its narrower classes, by name; combinations that hold one are not among them. */
  membersOf(classSlug: string): readonly Drug[];
  /** Classes of a drug with all wider classes; for a combination those of each ingredient. */
  classesOf(drugSlug: string): readonly string[];
  all(): Iterable<Drug>;
  /** Changes with anything in the book. */
  readonly version: string;
}
