import type { RecordText } from './record-text.ts';
import type { StudyKind } from './study-kind.ts';

type Cue = readonly [RegExp, StudyKind];

// The first matching cue wins, so the order is part of the rule: a protocol of a meta-analysis is a protocol, a meta-analysis of
// randomised trials is a meta-analysis.
const TITLE_CUES: readonly Cue[] = [
  [
    /^(?:retraction|retraction note|retraction notice|erratum|correction|corrigendum|addendum|expression of concern|editorial expression of concern|publisher correction|author correction|withdrawal)\b(?: to| of| for| notice)?\s?[:-]/,
    'notice',
  ],
  [/^(?:retraction|erratum|corrigendum|correction) to\b|^(?:retraction|erratum|corrigendum) (?:of|for|in)\b/, 'notice'],
  [
    /\b(?:study|trial|review|meta-analysis) protocols?\b|\bprotocol (?:of|for) (?:a|an|the|two|three)\b|[:.-] ?(?:a |the |study |research )?protocols?\b|\b(?:rationale|design|methods) and (?:design|rationale|methods|protocol)\b|\bdesign,? (?:rationale|methods)\b|\brationale, (?:study )?(?:design|methods)\b|\b(?:trial|study) design and (?:methodology|methods|protocol|rationale)\b|\brationale for and design of\b|^study design\b|\bprotocol for systematic\b/,
    'protocol',
  ],
  [/\bmeta-?(?:analys[ie]s|analytic|regression)\b|\bpooled analysis of (?:\w+ ){0,3}trials\b/, 'meta_analysis'],
  [
    /\bsystematic(?:al)? (?:literature |scoping |critical |and critical |mixed studies |cochrane |evidence-based |quantitative )?(?:re-?)?(?:review|overview)s?\b|\bumbrella review\b|\bsystematically review|\bevidence map\b|\boverview of (?:systematic )?reviews\b|\brapid review\b/,
    'systematic_review',
  ],
  [
    /\bguidelines?(?: for| on|:|$)|\bposition (?:stand|statement|paper)\b|\bconsensus (?:statement|report|guidelines?|recommendations?|paper)\b|\bclinical practice guidelines?\b|\brecommendations (?:of|from|by) the\b|\bscientific opinion\b/,
    'guideline',
  ],
  [
    /\bcase (?:reports?|series|study of a)\b|\ba report of (?:a|one|two|three|\w+) cases?\b|: a case\b(?![- ](?:control|cohort|crossover))|\breport of a case\b|\bin an? (?:\d+-year-old|patient with|child with|infant with|(?:young|elderly) (?:man|woman|patient|boy|girl))\b/,
    'case_report',
  ],
  // A description of a trial's participants before any treatment.
  [/^baseline (?:characteristics|demographics|profiles?) of\b/, 'cross_sectional'],
  [/\bmendelian randomi[sz]ation\b/, 'unclear_design'],
  [
    /\b(?:non|quasi)-?randomi[sz]ed\b|\bopen-label,? single-arm\b|\bsingle-arm\b|\buncontrolled\b/,
    'non_randomised_trial',
  ],
  [/\brandomi[sz]ed\b|\brandomi[sz]ation\b|\brandom(?:ly| allocation)\b|\brcts?\b/, 'rct'],
  [/\bcase-?control(?:led)?\b/, 'case_control'],
  [
    /\bcross-?sectional\b|\bprevalence of\b|\bnhanes\b|\bnational (?:health and nutrition|survey)\b|\bsurvey of\b|: a(?:n \w+)? survey\b/,
    'cross_sectional',
  ],
  [
    /\bcohorts?\b|\bprospective (?:study|observational|follow-?up)\b|\bretrospective(?:ly)?\b|\blongitudinal\b|\bfollow-up study\b|\bpopulation-based (?:study|prospective)\b/,
    'cohort',
  ],
  [
    /\b(?:narrative|literature|critical|comprehensive|scoping|brief|mini|updated|invited|clinical|state-of-the-art|integrative) ?-?(?:re)?-?review\b|\bmini-?review\b|[:.?-] ?an? (?:\w+ ){0,3}(?:review|overview|update|perspective|commentary)\b|[:.?-] (?:review|overview)\b|\breview of (?:the|current|its|recent)\b|^review\b|\bperspectives?\b\.?$|\b(?:current|recent|emerging) (?:evidence|concepts|perspectives|advances|insights|knowledge|status)\b|\bfrom bench to\b|\bwhat (?:do we|we) know\b|\bmolecular mechanisms and\b/,
    'expert_opinion',
  ],
];

/** Reads the design from the title alone, or null. */
export const fromTitle = (title: string, journal: string): StudyKind | null => {
  for (const [pattern, kind] of TITLE_CUES) if (pattern.test(title)) return kind;
  return /^cochrane database/.test(journal) ? 'systematic_review' : null;
};

const OWN_META =
  /\b(?:this|our|the present|present|the current|current) (?:\w+ ){0,4}meta-?analys[ie]s\b|\bwe (?:therefore |also |thus |then |have )?(?:\w+ ){0,2}(?:conducted|performed|did|undertook|carried out|completed|report) (?:an?|this|the) (?:[\w-]+,? ){0,6}meta-?analys[ie]s\b|\bmeta-?analys[ie]s (?:was|were) (?:performed|conducted|carried out|done|undertaken)\b|\bmeta-?analy[sz]ed\b|\b(?:aim|objective|purpose|goal) of (?:this|the) (?:\w+ ){0,2}meta-?analysis\b|\bincluded in (?:the|this|our) (?:\w+ )?meta-?analys[ie]s\b|\bpooled (?:effect|estimate|weighted|standardi[sz]ed|analysis of|relative risk|odds ratio|mean difference)|\bto meta-?analy[sz]e\b/;
const OWN_SYSTEMATIC =
  /\b(?:this|our|the present|present|current) (?:\w+ ){0,2}systematic(?:ally)? review\b|\bwe (?:therefore |also )?(?:conducted|performed|did|undertook|carried out) (?:an?|this|the) (?:[\w-]+,? ){0,4}systematic (?:\w+ )?(?:review|search)\b|\bsystematic (?:literature )?(?:review|search)(?: of the literature)? (?:was|were) (?:performed|conducted|carried out|done|undertaken)\b|\bsystematically (?:reviewed|searched|review)\b|\bprisma\b|\b(?:pubmed|medline|embase|cochrane (?:library|central|controlled)|web of science|scopus)\b[^.]{0,160}\b(?:were|was) (?:systematically )?searched\b|\bwe (?:systematically )?searched (?:\w+,? ){0,4}(?:pubmed|medline|embase|cochrane|central|web of science|scopus|electronic)|\bsearch(?:es)? (?:of|in|was|were) [^.]{0,80}\b(?:pubmed|medline|embase|cochrane)\b|\b(?:studies|articles|trials) were (?:identified|retrieved) (?:in|from|through|by|using) [^.]{0,60}\b(?:pubmed|medline|embase|cochrane)\b/;
const OWN_REVIEW =
  /\b(?:this|our|the present|present|the current|current|in the|in this) (?:\w+ ){0,2}(?:review|overview|commentary|perspective|editorial|mini-?review)\b|\bthis (?:article|paper|chapter|manuscript|work) (?:\w+ )?(?:reviews?|discusses|summari[sz]es|describes the (?:current|role)|provides an overview|examines the (?:current )?(?:literature|evidence)|focuses|highlights)\b|\bwe (?:\w+ )?(?:review|summari[sz]e|discuss|highlight)\b|\b(?:is|are|will be) (?:\w+ )?(?:reviewed|summari[sz]ed|discussed)\b(?: here| in)?|\bthe (?:literature|evidence) (?:is|was) reviewed\b|\baim of this review\b/;
const OWN_RANDOM =
  /\b(?:were|was|are|been|and|then|subjects|patients|participants|women|men|children) (?:\w+ ){0,3}(?:randomi[sz]ed|randomly (?:assigned|allocated|divided|selected to receive|received|distributed|given|placed|grouped|administered|consumed|completed|ingested|performed))\b|\brandomly (?:assigned|allocated|divided|received|distributed|administered|consumed|ingested)\b|\bwe randomi[sz]ed\b|\brandom(?:i[sz]ed|ised)?,? (?:and )?(?:order|sequence|assignment|allocation)\b|\brandomi[sz]ed to\b|\bwere randomi[sz]ed\b|\b(?:randomi[sz]ed|randomly|random)[ ,;-][^.]{0,90}\b(?:trial|study|experiment|design|manner|fashion|intervention|cross-?over)\b(?!s)|\brandomi[sz]ed [^.]{0,30}\bdesign\b|\(double[- ]blind\)/;
const OWN_BLIND =
  /\bdouble[- ]?(?:blind(?:ed)?|masked)\b[^.]{0,80}\b(?:study|trial|design|manner|fashion|protocol|conditions|cross-?over|basis|experiment|test)\b|\b(?:study|trial|design|protocol|manner|fashion)\b[^.]{0,60}\bdouble[- ]?blind|\bplacebo-controlled(?:,? [\w-]+){0,4} (?:study|trial|design)\b(?!s)|\bcounter-?balanced\b|\bdouble[- ]?blind(?:ed|ly)?\b|\bcross-?over (?:design|study|trial|manner|fashion)\b/;
const OWN_PROTOCOL =
  /\b(?:participants|patients|subjects|women|children|infants|adults|men|individuals) will (?:\w+ )?(?:be|receive)\b|\bwill be (?:\w+ )?(?:randomi[sz]ed|randomly|recruited|enrolled)\b/;
const DONE = /\bwere (?:\w+ )?(?:randomi[sz]ed|randomly|recruited|enrolled|included)\b/;
const NOT_RANDOM = /\b(?:non|not|quasi)[- ]?randomi[sz]ed\b|\bwithout randomi[sz]ation\b|\bnonrandomi[sz]ed\b/;
const CASE_CONTROL =
  /\bcase-?control(?:led)? (?:study|design|analysis|studies)\b|\bnested case-?control\b|\b\d+ cases and \d+ (?:\w+ )?controls\b|\bcases and (?:\w+ )?controls were\b|\bcase-?control\b/;
const CROSS_SECTIONAL =
  /\bcross-?sectional(?:ly)?\b(?! (?:areas?|images?|imaging|slices?|muscle))|\bnhanes\b|\bnational health and nutrition examination survey\b|\bquestionnaire survey\b|\bsurvey (?:was|of)\b|\bsurveyed\b|\bprevalence (?:was|of [^.]{0,60} was)\b/;
const COHORT =
  /\bcohort (?:study|of|analysis|design)\b|\bprospective(?:ly)?,? (?:\w+ ){0,2}(?:cohort|observational|study|followed|follow-up|enrolled)\b|\bfollowed(?:[- ]up)? (?:for|prospectively|until|over|from)\b|\bperson-years\b|\bhazard ratios?\b|\bretrospective(?:ly)?\b|\bmedical records\b|\blongitudinal (?:study|analysis)\b|\bduring (?:a )?(?:mean|median )?follow-up\b|\bmedical charts\b|\bcharts? review\b/;
const CASE_REPORT =
  /\bwe (?:report|describe|present) (?:a|an|the|one|two|three|our) (?:\w+ ){0,3}(?:case|patient)s?\b|\bwe report on (?:a|an) \b|\b(?:a|an) \d{1,3}-year-old (?:\w+ ){0,3}(?:man|woman|male|female|boy|girl|patient|child)\b|\bthis case (?:report|illustrates|suggests)\b|\bcase reports?\b: /;
const INTERVENTION =
  /\bopen[- ]label\b|\bsingle-arm\b|\bpilot (?:study|trial)\b|\buncontrolled\b|\bplacebo\b|\bsupplement(?:ed|ation)? (?:with|group|for|period)\b|\b(?:received|ingested|consumed|took|were given|was given|was administered|were supplemented|supplementation|oral(?:ly)? (?:dose|administration)|infusion)\b|\b(?:before and after|pre- and post-?)(?:treatment|intervention|supplementation)?\b/;
const EXERCISE_TEST = /\b(?:performed|completed|underwent|exercised|cycled|ran)\b/;

/** Reads the design that the abstract states for its own study, or null; cited designs do not count. */
export const fromAbstract = (text: RecordText): StudyKind | null => {
  const { abstract, ownWork } = text;
  if (abstract === '') return null;
  if (OWN_PROTOCOL.test(abstract) && !DONE.test(abstract)) return 'protocol';
  if (OWN_META.test(abstract)) return 'meta_analysis';
  if (OWN_SYSTEMATIC.test(abstract)) return 'systematic_review';
  if (NOT_RANDOM.test(ownWork)) return 'non_randomised_trial';
  if (ownRandomisation(ownWork)) return 'rct';
  const review = OWN_REVIEW.test(abstract);
  // Blinding and a crossover do not prove randomisation, and a randomisation that is not stated does not count.
  if (!review && (OWN_BLIND.test(ownWork) || OWN_BLIND.test(text.title))) return 'non_randomised_trial';
  if (CASE_REPORT.test(abstract)) return 'case_report';
  return review ? 'expert_opinion' : (observational(ownWork) ?? intervention(text));
};

// "A randomised trial is needed" and "a previous randomised trial" refer to other trials.
const OTHER_TRIALS =
  /\b(?:required|needed|warranted|necessary|desirable|should be (?:performed|conducted|done|undertaken)|future|previous(?:ly)?|earlier|prior) (?:\w+ ){0,4}(?:randomi|placebo|double|clinical)|\brandomi[sz]ed\b[^.]{0,120}\b(?:is|are|seems?|would be) (?:\w+ )?(?:required|needed|warranted|necessary|desirable|called for)\b|\b(?:need|call) for\b[^.]{0,60}\brandomi/;

const ownRandomisation = (text: string): boolean =>
  text.split('. ').some((sentence) => OWN_RANDOM.test(sentence) && !OTHER_TRIALS.test(sentence));

const observational = (text: string): StudyKind | null => {
  if (CASE_CONTROL.test(text)) return 'case_control';
  if (CROSS_SECTIONAL.test(text)) return 'cross_sectional';
  return COHORT.test(text) ? 'cohort' : null;
};

const PEOPLE =
  /\b(?:patients|participants|subjects|volunteers|women|men|children|infants|adults|athletes|players|students|cyclists|runners|swimmers|males|females|individuals)\b/;

const intervention = ({ ownWork }: RecordText): StudyKind | null =>
  PEOPLE.test(ownWork) && (INTERVENTION.test(ownWork) || EXERCISE_TEST.test(ownWork)) ? 'non_randomised_trial' : null;

const METHODS_PART = 15_000;
const METHODS_RANDOM =
  /\b(?:were|was) (?:then |subsequently |each )?(?:randomi[sz]ed|randomly (?:assigned|allocated|divided))\b|\brandomi[sz]ation (?:was|list|sequence|code|procedure|schedule)\b/;

/** Returns whether the methods of a full text state that its own participants were randomised. */
export const saysRandomised = (body: string): boolean => {
  const methods = body.slice(0, METHODS_PART);
  return METHODS_RANDOM.test(methods) && !NOT_RANDOM.test(methods);
};
