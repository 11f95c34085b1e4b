/** Lists words that give a name on a label another meaning than the supplement whose name it contains. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
const phrases = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(',')
      .map((phrase) => phrase.trim())
      .filter((phrase) => phrase !== ''),
  );

/** Synonyms that are valid in an abstract but name a food, an excipient or something wider on a label; folded as tokens. */
export const NOT_ON_LABELS = phrases(`
  coffee, watermelon, kelp, gelatin, gelatine, nitrate, whole grain, wheat bran, vitamin b 3, iodide, prebiotic, fiber, fibre,
  iodized salt, tomato, soy, honey, oats, oat, wine, red wine, milk, cocoa, chocolate, olive oil, nr, ala, energy drinks,
  sleep hormone, polyphenols, nad precursor, nad booster, proanthocyanidins, ketones, saffron crocus, tea, salt, water,
  sugar, starch, cellulose, carnosine precursor, synbiotic`);

/** Words directly after a name: "magnesium stearate", "calcium pantothenate", "garlic flavor", "iron free". */
export const NOT_BEFORE = words(`
  stearate stearates pantothenate silicate hydroxybutyrate bhb flavor flavors flavored flavour flavoured free fructoborate
  ale lily receptor hypophosphite lignosulfonate saccharin cyclamate caseinate propionate sorbate benzoate ferrocyanide
  alginate hydroxycitrate undecylenate elenolate ascorbate`);

/** Words directly before a name: other plants and things that share a word with it. */
export const NOT_AFTER: Readonly<Record<string, ReadonlySet<string>>> = {
  ginseng: words('siberian indian brazilian american peruvian prince southern tienchi blue malaysian alaskan'),
  ginger: words('wild'),
  garlic: words('bear wild'),
  turmeric: words('white wild'),
  cranberry: words('highbush'),
  chamomile: words('dyers'),
  lavender: words('sea'),
  sage: words('white clary'),
  mint: words('cat'),
  iron: words('anti'),
  tea: words('paraguay'),
  carnitine: words('gamma butyrobetaine'),
};

/** Rows that occur in every facts panel of a food. They do not show what a product is sold for. */
export const MACRONUTRIENTS = phrases(`
  calories, calories from fat, calories from saturated fat, total fat, fat, saturated fat, trans fat, polyunsaturated fat,
  monounsaturated fat, cholesterol, sodium, total carbohydrate, total carbohydrates, carbohydrate, carbohydrates,
  dietary fiber, fiber, total fiber, total dietary fiber, soluble fiber, insoluble fiber, sugar, sugars, total sugars,
  added sugars, sugar alcohol, sugar alcohols, protein, protein isolate, potassium chloride salt`);

/** Words between two names that make the second one the origin or the content of the first. */
export const FROM_WORDS = words(
  'from as with standardized containing contains providing provides yielding supplying in of per',
);

/** Remaining words of a name that indicate a combination. */
export const COMBINED = words(`
  with plus and w complex complexes formula blend stack combo combination multi multivitamin multimineral multiple cocktail
  mix matrix system pack kit n greens protein shake meal trio duo triple`);

/** Words that may occur beside one supplement in a product's name without naming another one. */
export const PLAIN_IN_NAMES = words(`
  a the of in for from to by as no non per each daily day night nighttime pm am one once new best real true natural naturally
  nature natures pure purely purity organic certified raw whole food based vegan vegetarian veg veggie veggies kosher halal
  gluten sugar dairy soy gmo free clean plain unflavored unsweetened sweetened original classic premium super superior ultra
  mega maxi maximum max extra high higher highest hi potency potent strength strong power powerful forte double advanced
  active activated activate bio bioactive bioavailable elite pro ultimate optimal optimum optimized essential
  essentials basic basics standard standardized standardised concentrate concentrated strengthened clinical pharmaceutical
  grade quality guaranteed professional doctor doctors physician physicians pharmacist member members puritan puritans
  capsule capsules caps cap tablet tablets tabs tab caplet caplets softgel softgels gel gels gelcap gelcaps liquid drops drop
  powder powdered lozenge lozenges gummy gummies chewable chewables chew chews spray sublingual melt melts dissolve
  dissolving fast quick rapid rapidly instant easy swallow liposomal micronized micronised nano buffered chelated chelate
  ionic enteric coated odorless odourless deodorized timed time release released slow sustained extended prolonged
  controlled dual delayed immediate long lasting absorb absorption absorbable enhanced gentle stabilized stable soluble
  water mini minis small large size value bonus adult adults women womens woman men mens man kids kid children childrens
  child toddler infant baby senior seniors 50 prenatal support supports health healthy care supplement supplements
  dietary nutritional nutrition herbal herb herbs extract extracts root roots leaf leaves seed seeds bark flower flowers
  fruit fruits berry berries rhizome bulb mushroom fresh dried dry ground cold pressed virgin refined filled fermented
  cultured wild caught harvested sourced alaskan norwegian icelandic arctic atlantic pacific indian korean chinese american
  usp nf gtf dfe rae cfu cfus iu mg mcg g gm grams gram ml oz count ct billion million live
  flavor flavors flavored flavour orange lemon lime cherry strawberry raspberry blueberry mixed peach mango
  grape apple vanilla chocolate mint peppermint spearmint tropical punch citrus watermelon pineapple banana coconut
  tangerine kiwi melon passion creme cream cookies
  citrate oxide gluconate picolinate glycinate bisglycinate malate taurate threonate orotate aspartate carbonate chloride
  sulfate sulphate lactate fumarate acetate phosphate tartrate hydrochloride hcl monohydrate anhydrous nitrate palmitate
  succinate trisodium dl d l s r alpha trans cis acid acids oil oils amino mineral vitamin vitamins nutrient
  milligrams very finest delicious crystals odor less fed grass molecularly lemonade packs packets tangy creamy soft select
  shot added drink smooth syrup solution isolate isolates peptides hydrolyzed hydrolysed instantized sour zesty sr xtra micro
  gourmet mocha fudge cookie caramel milkshake peanut butter swirl husk husks without gems all source micro quali
  selenomethionine monomethionine acetyl methyl purified ultrapure distilled burpless`);
