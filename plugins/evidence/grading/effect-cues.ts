/**
 * Patterns for words that state an effect or no effect, for lower-case text. Use every pattern with the flag g with matchAll or
 * replace, because test() keeps state between calls.
 */

const HEDGE =
  '(?:significantly |statistically |further |clinically |consistently |substantially |markedly |appreciably |meaningfully |clearly |directly |independently )?';

export const NULL_CUES = new RegExp(
  [
    `\\b(?:did|does|do|could|was|were|is|are|may|might|has|have|had|would)(?: not|n't) ${HEDGE}(?:appear to |seem to |found to |shown to |likely to |result in |lead to |have (?:any |an? |significant )*|provide (?:any |an? )?|cause |be |contribute )?${HEDGE}(?:improv|affect|reduc|alter|chang|increas|decreas|differ|prevent|enhanc|influenc|benefi|lower|effect|associat|superior|better|protect|attenuat|modif|impact|help|augment|induc|support|promot|ameliorat|alleviat|impair|stimulat|accelerat|correlat|relat|explain|reach|significant)\\w*`,
    '\\b(?:no|little|neither|without(?: any)?|lack of(?: an?)?) (?:\\w+ ){0,3}?(?:differences?|effects?|benefits?|improvements?|changes?|associations?|relationship|evidence|influence|impact|advantage|correlation|reduction|increase|ergogenic|support)\\b',
    '\\b(?:failed|fails) to\\b|\\bfailure to (?:show|find|detect)\\b',
    '\\bineffective\\b|\\bnot (?:\\w+ )?(?:effective|superior|beneficial|better|supported|useful|warranted|recommended|justified|necessary|helpful|efficacious)\\b',
    '\\b(?:was|were|is|are|remained) (?:\\w+ )?(?:unaffected|unchanged|unaltered|similar|comparable)\\b',
    '\\bneither\\b[^.;]{0,70}\\b(?:affected|changed|improved|altered|differed|influenced|reduced|increased)\\b|\\bnone of the (?:\\w+ ){0,3}(?:outcomes?|measures?|parameters?|variables?|markers?)\\b|\\beffects? [^.;]{0,60}\\b(?:was|were|is|are|may be) (?:trivial|negligible|inconsequential|minimal)\\b',
    '\\bno (?:more|better) (?:effective )?than\\b|\\bnor (?:did|was|were|is)\\b|\\bnot differ(?:ent)?\\b',
    '\\b(?:does|do|did) not (?:support|justify|confirm|suggest|demonstrate|show|indicate|provide)\\b',
    // Two treatments with equal effects.
    '\\b(?:equally|similarly|as) (?:effective|efficacious|safe and effective)\\b|\\bof comparative effectiveness\\b|\\bequivalent (?:to|efficacy|effect)\\b|\\b(?:bio)?equivalen(?:t|ce)\\b|\\bnon-?inferior(?:ity)?\\b|\\bcomparable (?:\\w+ )?(?:to|with|exposures?|efficacy|effectiveness|effects?|results?|outcomes?)\\b|\\bsimilar (?:[\\w-]+ ){0,5}(?:compared with|to (?:that|those) of|as)\\b|\\btrivial (?:\\w+ )?(?:changes?|differences?|effects?)\\b',
  ].join('|'),
  'g',
);
export const NEGATIVE_CUES =
  /\b(?:increas(?:ed?|es|ing)|higher|elevated|greater|excess) (?:the )?(?:\w+ ){0,2}(?:risk|mortality|death|incidence of (?:cancer|death|adverse|diabetes|fracture)|odds of)\b|\b(?:harmful|detrimental|deleterious|worsen(?:ed|s|ing)?|worse (?:than|outcome|survival)|inferior to|impair(?:ed|s)|toxic(?:ity)? (?:in|at|of|was)|adverse effect on|blunt(?:ed|s)|hampers?|hepatotoxic|nephrotoxic|(?:should be|be) (?:avoided|discouraged)|more (?:falls|fractures|deaths|infections))\b/g;
export const POSITIVE_CUES =
  /\b(?:improv(?:e|es|ed|ing|ement|ements)|effective(?:ly|ness)?|efficacious|efficacy of|beneficial(?:ly)?|benefits?|benefited|superior|attenuat(?:e|es|ed|ing|ion)|alleviat(?:e|es|ed|ing)|ameliorat(?:e|es|ed|ing)|enhanc(?:e|es|ed|ing|ement)|prevent(?:s|ed|ing)?|protect(?:s|ed|ive|ion)?|reduc(?:e|es|ed|ing|tion|tions)|lower(?:s|ed|ing)?|decreas(?:e|es|ed|ing)|increas(?:e|es|ed|ing)|promot(?:e|es|ed|ing)|accelerat(?:e|es|ed|ing)|facilitat(?:e|es|ed)|greater|faster|relie(?:f|ves?|ved)|favou?rabl[ey]|augment(?:s|ed|ing)?|positive effects?|delay(?:s|ed)|useful|promising|inverse(?:ly)?|stimulat(?:e|es|ed)|restor(?:e|es|ed)|inhibit(?:s|ed|ing)?)\b/g;
/** Words that state a difference without stating whether it is good or bad; they count in results only. */
export const CHANGE_CUES =
  /\b(?:significant(?:ly)?|higher|lower|shorter|longer|fewer|more|less|better|favou?red|favou?ring|rose|fell|declin(?:e|es|ed)|dropped|increments?|superior|regulated)\b/;
export const MIXED_CUES =
  /\b(?:mixed (?:results|findings|evidence)|inconsistent|conflicting|contradictory|equivocal|inconclusive|heterogeneous results|varied across|only (?:significant )?in (?:the )?(?:\w+ ){0,3}(?:sub-?groups?|subjects|patients|participants|individuals|women|men|those)|were only significant|affected (?:\w+ ){1,3}adversely)\b/;
/** Words with which the authors doubt that their finding is an effect at all. */
export const DOUBT_CUES =
  /\b(?:interpreted|viewed|taken|treated) with (?:\w+ )?caution\b|\bhypothesis-generating\b|\bcould not (?:\w+ )?be (?:assigned|attributed)\b|\bneeds? further evaluation\b|\bnot powered\b|\bdoes not allow\b/;
/** Words that hedge a benefit. */
export const HEDGED =
  /\b(?:may|might|could|can|suggest\w*|support\w*|potential(?:ly)?|possibl[ey]|appears?|seems?|promising|likely)\b/;
export const UNSURE_CUES =
  /\b(?:insufficient|not enough|inadequate|limited|lack of|no (?:\w+ )?quality|low[- ]quality|very low[- ]certainty|paucity of|no firm|cannot be (?:drawn|determined|made)|no conclusions?|unclear|uncertain|remains to be|not possible to|no reliable) ?(?:\w+ )?(?:evidence|data|conclusions?|whether|studies|determined|information)?\b/;
/** Statements on further work, methods or safety, which are not findings on an effect. */
export const NOT_A_FINDING =
  /\b(?:further|additional|larger|more|future|long(?:er)?-term|well-designed|rigorous|high-quality) (?:[\w-]+,? ){0,6}(?:research|stud(?:y|ies)|trials?|investigations?|work|evidence)\b[^.]*|\b(?:needs? to be|should be|remain(?:s)? to be|warrants?|to (?:confirm|determine|clarify|establish|evaluate|elucidate|assess|investigate)) [^.;]{0,120}|\b(?:trial )?regist(?:ration|ered)[^.]*\.?|\bincreasing(?:ly)? (?:evidence|interest|popular|use)\b|\bat increased risk\b|\bhigh(?:er)?[- ]risk (?:of|for|patients|women|infants|adults)\b|\bwell tolerated\b|\b(?:no|without) (?:\w+ ){0,3}(?:adverse|side|serious|safety)[ -](?:events?|effects?|concerns?|reactions?)\b|\bbut no\b(?= adverse)|\bwithout (?:an? )?(?:increas(?:e|ing)|compromising|affecting) [^.;,]{0,40}\b(?:toxicity|adverse|side effects?|safety|tolerability)\b|\b(?:reduced|lower|decreased|increased) (?:dose|energy diet|calorie|fat diet|glutathione)\b|\bprevention of\b|\brisk of bias\b/g;
export const RISK_LOWERED = /\b(?:reduc|decreas|lower|prevent|protect|attenuat|no |not )[^.;]{0,40}$/;
/** A raised level in blood or muscle shows that the dose was absorbed; it is not an effect. */
export const LEVEL_RAISED =
  /\b(?:increas|rais|elevat|improv|augment|enhanc)\w* (?:\w+[- ]){0,2}(?:blood|plasma|serum|muscle|intramuscular|circulating|whole[- ]blood|urinary|tissue|salivary)\b [^.,;]{0,40}/g;

/** Counts the matches of a pattern with the flag g. */
export const countCues = (text: string, pattern: RegExp): number => {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found += 1;
  return found;
};
