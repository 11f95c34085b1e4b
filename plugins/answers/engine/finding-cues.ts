/**
 * Defines the cues by which a sentence states the direction of a finding. Sentence choice, stance and verification share
 * them.
 */

const HEDGE =
  '(?:significantly |statistically |further |clinically |consistently |substantially |markedly |appreciably |meaningfully |independently )?';

/** Matches statements that there was no difference, effect or association. */
export const NULL_CUES = new RegExp(
  [
    `\\b(?:did|does|do|could|was|were|is|are|may|might|has|have|had|would|can)(?: not|n['’]t|not) ${HEDGE}(?:appear to |seem to |found to |shown to |likely to |result in |lead to |have (?:any |an? |significant )*|provide (?:any |an? )?|cause |be )?${HEDGE}(?:improv|affect|reduc|alter|chang|increas|decreas|differ|prevent|enhanc|influenc|benefi|lower|effect|associat|superior|better|protect|attenuat|modif|impact|help|induc|support|promot|ameliorat|alleviat|impair|accelerat|correlat|relat|predict|reach|ease|work|beat|shorten|relieve)\\w*`,
    '\\b(?:no|little|neither|without(?: any)?|lack of(?: an?)?) (?:[\\w-]+ ){0,3}?(?:differences?|effects?|benefits?|improvements?|changes?|associations?|relationship|evidence|influence|impact|advantage|correlation|reduction|increase|gain|better)\\b',
    '\\b(?:failed|fails) to\\b|\\bfailure to (?:show|find|detect)\\b|\\bmissed significance\\b|\\bincluded no effect\\b',
    '\\bineffective\\b|\\bnot (?:\\w+ )?(?:effective|superior|beneficial|better|supported|useful|warranted|recommended|justified|necessary|helpful|efficacious|significant|significantly|differ|different)\\b',
    '\\b(?:was|were|is|are|remained) (?:\\w+ )?(?:unaffected|unchanged|unaltered|similar|comparable|equivalent|the same)\\b',
    '\\bno (?:more|better) (?:effective )?than\\b|\\bnor (?:did|was|were|is)\\b|\\bmade no difference\\b|\\bnon-?significant\\b',
    '\\b(?:does|do|did) not (?:support|justify|confirm|suggest|demonstrate|show|indicate|provide)\\b',
    '\\bp ?(?:>|=) ?0?\\.(?:[1-9]\\d*|0[6-9]\\d*)|\\bp ?> ?0?\\.05\\b',
  ].join('|'),
  'gi',
);

/** Matches statements that something got worse or that harm occurred. */
export const HARM_CUES =
  /\b(?:increas(?:ed?|es|ing)|higher|elevated|greater|excess|raised) (?:the )?(?:\w+ ){0,2}(?:risk|mortality|death|incidence|odds|rate) of\b|\b(?:harmful|harm(?:s|ed)?|detrimental|deleterious|worsen(?:ed|s|ing)?|worse|inferior|impair(?:ed|s|ment)|toxic(?:ity)?|hepatotoxic(?:ity)?|nephrotoxic|injur(?:y|ed|ies)|adverse (?:events?|effects?|reactions?)|side effects?|unwanted effects?|should be (?:avoided|discouraged)|bleeding|liver failure)\b/gi;

/** Matches mentions of harm, of tolerability, or of an organ in which harm appears. */
export const ABOUT_HARM =
  /\b(?:side.?effects?|adverse|unwanted|tolera\w+|safe\w*|harm\w*|risks?|tox\w+|bleed\w*|nausea|vomit\w*|diarrh\w+|constipat\w*|headaches?|dizz\w+|rash\w*|itch\w*|tingl\w+|par(?:a)?esth\w+|flush\w*|kidneys?|renal|creatinine|liver|hepat\w+|enzymes?|deaths?|died|mortality|hospital\w*|injur\w+|dropped out|stopped|withdr[ae]w\w*|complain\w*|complaints?|worse\w*|swollen|cramps?|palpitat\w+|arrhythm\w+|seizures?|serious|gut symptoms?|stomach|swell\w*|distaste|pins and needles|prickl\w*|burning|tremor|jitter\w*|heart rate|(?:more|increas\w+|worse\w*|higher)[^.;]{0,20} pain)\b/i;

/** Matches statements that something got better, or that two things are associated. */
export const GAIN_CUES =
  /\b(?:improv(?:e|es|ed|ing|ement|ements)|effective(?:ly|ness)?|efficacious|efficacy|beneficial(?:ly)?|benefits?|benefited|superior|attenuat(?:e|es|ed|ing|ion)|alleviat(?:e|es|ed|ing)|ameliorat(?:e|es|ed|ing)|enhanc(?:e|es|ed|ing|ement)|prevent(?:s|ed|ing)?|protect(?:s|ed|ive|ion)?|reduc(?:e|es|ed|ing|tion|tions)|lower(?:s|ed|ing)?|decreas(?:e|es|ed|ing)|increas(?:e|es|ed|ing)|promot(?:e|es|ed|ing)|accelerat(?:e|es|ed|ing)|greater|faster|better|higher|relie(?:f|ves?|ved)|eas(?:ed|es)|shorten(?:s|ed)|halved|fell|dropped|rose|favou?rabl[ey]|augment(?:s|ed|ing)?|delay(?:s|ed)|useful|promising|associated|correlat(?:ed|es|ion)|predict(?:s|ed|ive|or)?|significant(?:ly)?)\b/gi;

export const MIXED_CUES =
  /\b(?:mixed (?:results|findings|evidence)|inconsistent|conflicting|contradictory|equivocal|inconclusive|varied across|further (?:research|stud(?:y|ies)|trials?)|more (?:research|studies|trials)|insufficient|unclear|uncertain|limited evidence|remains? to be|although|however|but|whereas|only in|except|subgroup)\b/gi;

export const HEDGE_CUES =
  /\b(?:may|might|could|suggests?|appears?|seems?|possibl[ey]|potential(?:ly)?|probabl[ey]|likely)\b/gi;

/** Matches statements about the aim of a study or about further research, which are not findings. */
export const NOT_A_FINDING =
  /\b(?:aim(?:ed|s)? (?:of|to|was)|we (?:investigated|examined|evaluated|assessed|tested|aimed|sought|hypothesi[sz]ed)|the (?:objective|purpose|aim|goal)|to (?:determine|investigate|evaluate|assess|examine|test|compare|explore|study) (?:whether|if|the)|is needed|are needed|are warranted|is warranted|further (?:research|stud(?:y|ies)|trials?|investigation)|remains? to be (?:seen|determined|shown)|trial registration|registered (?:at|as|under|with)|were recruited|were randomi[sz]ed|was conducted|were searched|was measured|were measured|were included|were enrolled|were (?:tested|treated|followed|asked|randomly|given|assigned|allotted) |(?:took|received|drank|ate|swallowed|used) [^.;]{3,90}\b(?:or|for|daily|each|every|against)\b|dropped out|not studied|not blinded|no blinding|could not monitor|cannot be told|few events)\b/i;

export const countCues = (text: string, cues: RegExp): number => {
  let found = 0;
  for (const _ of text.matchAll(cues)) found += 1;
  return found;
};

/** Returns whether a sentence contains a negation (no, not, none, neither, without) or says that something failed. */
export const isNegated = (text: string): boolean =>
  countCues(text, NULL_CUES) > 0 || /\b(?:no|not|none|neither|nor|without|never|cannot)\b|n['’]t\b/i.test(text);
