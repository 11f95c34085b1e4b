/**
 * Defines patterns for products taken by mistake, by a child or an animal, or in far too large an amount. For the form of the
 * texts, see alarm.ts.
 */
import { any, near } from './alarm-text.ts';

const LOVED =
  '(?:son|daughter|child|kid(?:do|die|s)?|toddler|baby|babies|infant|newborn|bub|little (?:one|girl|boy|man)|boy|girl|teen(?:ager)?|niece|nephew|grand ?(?:son|daughter|child|kid|baby)\\w*|twins?|sibling|(?:[1-9]|1[0-7]) ?(?:yo|y\\/o|yr old|year old|months? old|mth old)|[1-9]yo|\\w+ (?:year|month)[- ]old|dog|doggo|pup(?:py)?|cat|kitten|kitty|rabbit|bunny|hamster|guinea pig|ferret|horse|pony|parrot|budgie|retriever|labrador|spaniel|terrier|pet)';
const TAKES_IN =
  '(?:swallow(?:ed|s)?|at[e]|eaten|drank|drunk|chew(?:ed)?|munch(?:ed)?|crunch(?:ed)?|lick(?:ed)?|suck(?:ed)?|gobbl\\w+|scoff\\w*|wolf\\w*|gulp\\w*|guzzl\\w*|down(?:ed)|neck(?:ed)|sipp?(?:ed)?|swigg?(?:ed)?|slurp\\w*|inhal\\w+|snort\\w*|tast(?:ed)|bit(?:ten)?|nibbl\\w+|empt(?:ied|ying)|raid(?:ed)|finish(?:ed)|devour\\w*|demolish\\w*|polish(?:ed) off|helped (?:him|her|them)sel\\w+|got (?:into|at|hold of|in to|the|inside)|gotten into|got .{0,20}(?:cap|lid) off|broke into|opened|found|consumed|ingest\\w*|put)';
const STUFF =
  '(?:supx|medx|pills?|tablets?|tabs?|capsules?|caps|softgels?|gumm(?:y|ies)|vitamins?|multivitamins?|minerals?|drops|bottle|tub|jar|box|tin|pack(?:et|age)?|sack|bag|sachets?|oils?|powder|sweets|candy|candies|chews?|chewables?|lozenges?|syrup|tincture|extract|supplements?|medicine|meds|tablets|liquid|magnets?|batter(?:y|ies)|bleach|detergent|soap|gel|cleaner|plants?|berries|mushrooms?|leaves|leaf|seeds|bulbs?|kernels?|nicotine|vapes?|patch|patches|stash|cupboard|cabinet|pot)';
const TOXIC =
  "(?:foxglove|digitalis|aconite|monkshood|wolfsbane|oleander|hemlock|belladonna|nightshade|death ?caps?|fly agaric|laburnum|yew|castor beans?|lily of the valley|lil(?:y|ies)|pennyroyal|wintergreen|camphor|eucalyptus oil|tea tree oil|clove oil|wormwood oil|essential oils?|hydrogen peroxide|bleach|antifreeze|white spirit|turpentine|nicotine|borax|methanol|dnp|xylitol|rat (?:poison|bait)|slug pellets|weed ?killer|apricot kernels?|bitter almonds?|datura|jimson|angel's trumpet)";
const ILL =
  '(?:sick|ill|vomit\\w*|puk\\w*|dizz\\w*|numb|burn(?:s|ing|t)|heart\\w*|wobbl\\w*|shak\\w*|drool\\w*|foam\\w*|drank|drunk|sip\\w*|swallow\\w*|ate|eaten|ingest\\w*|chew\\w*|lick\\w*|brewed|picked|bit|swig\\w*|mouth)';
const MANY =
  '(?:[6-9]|[1-9]\\d+|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|dozens?|hundred)';
const COUNTED = `${MANY} (?:of (?:those|these|the|them|my|his|her)? ?)?(?:\\w+ ){0,3}?(?:pills?|tablets?|tabs|capsules?|caps|softgels?|gummies|scoops?|shots|cans|patches|drops|lozenges?|chews?|sachets?|bags)`;
/** Matches a regular daily amount, as opposed to an amount taken once. */
export const PER_DAY = /\b(?:a|per|each|every) day\b|\bdaily\b|\bpre-?workout per\b/;

/** Matches that someone got hold of a product or took too much of it. */
export const OVER_TAKEN = any(
  `\\b${LOVED}\\b[^.?!]{0,45}\\b${TAKES_IN}\\b[^.?!]{0,60}\\b${STUFF}\\b`,
  `\\b${STUFF}\\b[^.?!]{0,40}\\b(?:all over|around|in|on) (?:his|her|the|its) (?:mouth|lips|face|teeth|floor|chin)\\b`,
  `\\b${LOVED}\\b[^.?!]{0,60}\\b(?:child ?proof|empty|spilled|spilt|knocked over|half gone|all gone|missing)\\b`,
  `\\b(?:empty|half empty|finished|open) (?:\\w+ ){0,2}(?:jar|bottle|box|tub|packet|blister|pack|tin|pot)\\b`,
  `\\b(?:mistook|mistaken|misread|confused|mixed up|muddled up)\\b[^.?!]{0,60}\\b(?:for|with|ml|mg|grams?|milligrams?|drops|syringe|spoons?|dose|bottles?|units?|milks?)\\b[^.?!]{0,60}\\b(?:gave|given|took|taken|had|drank|downed|got|swallowed|ate|powder|drops|liquid|dose)\\b`,
  '\\b(?:wrong|different|other) (?:bottle|cup|glass|syringe|spoon|pot|tub|packet|blister)\\b',
  '\\btablespoons?\\b[^.?!]{0,20}\\b(?:instead of|not|rather than)\\b[^.?!]{0,20}\\bteaspoons?\\b|\\bgrams? instead of (?:milligrams?|mg)\\b|\\b(?:mg|milligrams?) instead of (?:mcg|micrograms?)\\b|\\bmixed up (?:the )?(?:grams?|mg|ml|milligrams?|micrograms?|units?|decimal)\\b',
  '\\b(?:ten|10|five|5|100|hundred|twenty|20)(?: times|x|-fold| fold) (?:his|her|my|the|too|what|as|more)\\b',
  '\\blost (?:count|track)\\b[^.?!]{0,40}\\b(?:pills?|tabs?|tablets?|capsules?|doses?|gummies|shots|drops|supx|medx|had|took|taken)\\b',
  "\\b(?:forgot|forgets|forgetting|not remember\\w*|can't remember|cant remember)\\b[^.?!]{0,40}\\b(?:took|taken|had|taking|doubl\\w+|twice|already)\\b[^.?!]{0,40}\\b(?:again|twice|doubl\\w+|more|extra|second|already)\\b|\\bdoubling up\\b",
  '\\b(?:keeps? |been |kept )?re-?dos(?:ing|ed)\\b',
  '\\b(?:like|as if (?:they|it) (?:were|was)) (?:smarties|sweets|candy|skittles|m&ms|tic ?tacs|popcorn|crisps|chips)\\b|\\bthought (?:they|it|these|those) (?:were|was|is|are) (?:\\w+ )?(?:sweets|candy|candies|tic ?tacs|mints|smarties|skittles|juice|water|lemonade|squash|cordial|wild garlic|nettle|parsnip|chewing gum|gum)\\b',
  `\\b(?:for|as) a (?:dare|joke|prank|bet|challenge|tiktok)\\b`,
  `\\b(?:took|taken|swallowed|popped|downed|necked|ate|drank|had|did|done|chewed|ingested|gulped|put on)\\b[^.?!]{0,20}\\b${COUNTED}\\b`,
  `\\b${COUNTED}\\b[^.?!]{0,60}\\b(?:just did|i did|already (?:in|down|gone)|in (?:my|his|her) (?:stomach|belly|tummy|system)|at once|in one go|within an hour|tonight|hurt)\\b`,
  '\\b(?:way|far|much) too (?:many|much)\\b|\\btoo many\\b[^.?!]{0,25}\\b(?:pills?|tablets?|gummies|capsules?|supx|medx|drops)\\b',
  `\\b(?:the |a )?(?:whole|entire|full) (?:\\w+ ){0,2}(?:bottle|jar|box|tub|packet|blister|strip|pack|tin|jug|bag|sack|pot|tube)\\b[^.?!]{0,40}\\b(?:gone|down|inside|swallowed|finished|taken|of)\\b`,
  near(TOXIC, ILL, 50),
  '\\b(?:gobe|avale|bu)\\b[^.?!]{0,20}\\b(?:tout|toute|flacon|boite|pot)\\b',
);
