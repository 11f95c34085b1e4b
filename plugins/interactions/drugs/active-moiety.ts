/** Derives the active moiety from the name of a substance: "WARFARIN SODIUM" is warfarin. */

/** Counter-ions, esters and hydrates at the end of a name that do not make it a different medicine. */
const SALTS = new Set(
  `hydrochloride dihydrochloride monohydrochloride hcl hydrobromide hbr chloride bromide iodide methylbromide sodium
  disodium trisodium potassium dipotassium calcium magnesium zinc strontium sulfate bisulfate hemisulfate sulphate acetate
  diacetate phosphate diphosphate lactate maleate dimaleate tartrate bitartrate fumarate hemifumarate citrate mesylate
  mesylates dimesylate succinate hemisuccinate meglumine dimeglumine propionate dipropionate besylate nitrate tosylate
  tromethamine carbonate palmitate saccharate aspartate valerate enanthate cypionate decanoate undecanoate caproate
  furoate benzoate hyclate trihydrate dihydrate monohydrate hemihydrate sesquihydrate pentahydrate heptahydrate hydrate
  anhydrous xinafoate medoxomil cilexetil etexilate mofetil disoproxil dipivoxil alafenamide axetil proxetil pivoxil
  pivalate stearate ethylsuccinate lactobionate estolate gluceptate gluconate pamoate embonate napsylate isethionate
  malate oxalate edisylate esylate camsylate methylsulfate polistirex polacrilex resinate benzathine procaine
  terephthalate acetonide hexacetonide epolamine lysine arginine erbumine orotate glubionate butyrate probutate etabonate
  tebutate bicarbonate olamine diolamine ditosylate recombinant adipate kamedoxomil lauroxil lauryl enacarbil s-malate
  l-malate difumarate besilate polygalacturonate monosulfate bismuth etiprate trifenatate nafate fosamil medocaril
  glucuronate triethiodide tetrahydrochloride indanyl tannate synthetic`.split(/\s+/),
);

/**
 * Words that may not remain alone when a salt word is removed: the salt is itself the medicine, or the word is not a name without
 * the next one.
 */
const NEVER_ALONE = new Set(
  `sodium potassium calcium magnesium aluminum aluminium zinc iron ferrous ferric ammonium copper cupric manganese
  manganous selenium chromium chromic barium bismuth silver stannous tin gold iodine hydrogen carbon nitrous nitric
  chloral urea dimethyl monomethyl diroximel methyl ethyl benzyl phenyl isopropyl edetate pentetate amino rubidium
  ammonia thallous gallium strontium samarium radium choline ethylene butyl cetyl benzalkonium benzethonium acid dibasic
  monobasic insulin alcohol trolamine perflutren human`.split(/\s+/),
);

/** Normalizes a name: lower case, one space between words, without the Orange Book's asterisks. */
export const plainName = (raw: string): string => raw.toLowerCase().replaceAll('*', ' ').replace(/\s+/g, ' ').trim();

/** Qualifiers after a comma that do not begin another substance: "urea, C-14", "insulin, regular, human". */
const QUALIFIER =
  /^(?:anhydrous|glacial|dibasic|monobasic|tribasic|conjugated.*|esterified|micro.*|ultramicro.*|regular|human|pork|beef|.*hydrate|[a-z]+-\d+|dl|purified)?$/;

/** Splits a list of substances as the Orange Book writes it: separated by semicolons, sometimes by a slash or comma. */
export const substancesIn = (list: string): readonly string[] => {
  // In "TRIPLE SULFA (SULFABENZAMIDE; SULFACETAMIDE)" the brackets repeat the substances.
  const parts = list.replace(/\s*\([^()]*;[^()]*\)/g, '').split(/[;/]/);
  return parts
    .map(plainName)
    .flatMap((part) => {
      const [first = '', ...rest] = part.split(',').map((piece) => piece.trim());
      return rest.every((piece) => QUALIFIER.test(piece)) ? [part] : [first, ...rest];
    })
    .filter((part) => part !== '');
};

/**
 * Removes salt words from the end until `isKnown` knows the name or none is left. Names that would lose their identity (sodium
 * chloride, dimethyl fumarate) are unchanged.
 */
export const activeMoiety = (raw: string, isKnown: (name: string) => boolean): string => {
  const whole = plainName(raw);
  let name = whole.replace(/,\s*(?:anhydrous)?$/, '').replace(/ (?:resin|phosphate) complex$/, '');
  while (!isKnown(name)) {
    const cut = name.lastIndexOf(' ');
    const rest = name.slice(0, cut);
    if (cut < 0 || !SALTS.has(name.slice(cut + 1)) || rest.split(' ').every((word) => NEVER_ALONE.has(word))) break;
    name = rest;
  }
  return name.replace(/,$/, '') || whole;
};

/** Returns whether a word only specifies the salt. */
export const isSaltWord = (word: string): boolean => SALTS.has(word);
