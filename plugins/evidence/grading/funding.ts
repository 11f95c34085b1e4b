import type { Funding, SourceRecord } from '../source-record.ts';
import { splitSentences, unify } from './record-text.ts';

const LIMIT = 8_000;
const FUNDS =
  /\b(?:fund(?:ed|ing|s)?|sponsor(?:ed|ship|s)?|financ(?:ed|ial(?:ly)? support(?:ed)?|ing)|support(?:ed)? (?:by|from|in part|was|provided)|grants?|supported)\b/i;
const NO_FUNDS =
  /\b(?:no|not receive any|without(?: any)?|did not receive) (?:\w+ ){0,4}(?:funding|financial support|grants?|sponsorship|external support)\b|\b(?:funding|source of (?:funding|support)|financial support|sponsor)\s?(?::|was|is)? ?(?:none|nil|not applicable)\b|\bself-?funded\b|\bnot funded\b/i;
// A legal form of a company counts only after a name, because "AG" and "SA" also occur in grant numbers. A charity may be an Inc
// too.
const COMPANY =
  /\b(?!Association|Foundation|Society|Institute|Council|Fund|Trust)[A-Z][\w.&'-]+,? (?:Inc|Ltd|Limited|LLC|L\.L\.C|GmbH|Corp|Corporation|Co|AG|SAS?|S\.A\.S?|SpA|S\.p\.A|Srl|S\.r\.l|BV|B\.V|NV|N\.V|AB|A\/S|ApS|Oy|Pty|PLC|plc|KK|K\.K|KGaA|Pvt|Company)\b(?![/\d])|\b(?:[A-Z]\w+ )?(?:Pharmaceuticals?|Pharma|Nutraceuticals?|Laboratories|Biotech|Biosciences?|Nutritionals?|Therapeutics|Naturals|Biomed)\b/;
const COMPANY_NAMES =
  /\b(?:Nestl[eé]|Danone|Nutricia|Abbott|Yakult|ChromaDex|DSM|BASF|Bayer|Pfizer|Merck|Novartis|Sanofi|GlaxoSmithKline|GSK|AstraZeneca|Roche|Lilly|Amgen|Unilever|PepsiCo|Coca-Cola|Kellogg|Herbalife|Amway|Nutrilite|Probi|BioGaia|Chr\.? Hansen|Morinaga|Kirin|Suntory|Kaneka|Ajinomoto|Fonterra|Arla|Indena|Schwabe|Ixoreal|Sabinsa|Natreon|Lonza|Cargill|DuPont|Solvay|Procter|Wyeth|Mead Johnson|Fresenius|Baxter|Braun|Gatorade|GNC|MusclePharm|Metagenics|Takeda|Otsuka|Meiji|Dannon|Valio|Lallemand|Winclove|Elysium|Glanbia)(?![A-Za-z])/;
const IN_PRIVATE_WORDS =
  /\b(?:manufacturer|pharmaceutical company|dietary supplement company|food industry|egg board|dairy council|almond board|california walnut|beef checkoff|industry|(?:almond|avocado|beef|berry|blueberry|cocoa|coffee|cranberry|dairy|egg|grape|hazelnut|honey|meat|milk|mushroom|nut|peanut|pecan|pistachio|pork|potato|rice|soy|strawberry|sugar|tea|walnut|wine) (?:institute|council|association|board|federation|research fund))\b/i;
const PUBLIC =
  /\b(?:National Institutes? (?:of|for)|NIH|NIDDK|NHLBI|NCI|NIA\b|NCCAM|NCCIH|NICHD|National Cancer (?:Institute|Cent(?:er|re))|National (?:Natural )?Science|National (?:Research|Health|Medical|Council|Center|Centre|Heart|Key)|Ministry|Ministerio|Minist[eè]re|University|Universit\w+|Hospital|MRC|Medical Research Council|Wellcome|Gates Foundation|European (?:Union|Commission|Research|Regional)|Government|Department of (?:Health|Agriculture|Defense|Veterans)|Veterans Affairs|USDA|USAID|UNICEF|World Health Organi[sz]ation|WHO|Research Council|Research Foundation|Foundation|Fundaci[oó]n|Fonds|Academy of|Canadian Institutes|NHMRC|CNPq|FAPESP|CAPES|CIHR|Deutsche Forschungsgemeinschaft|DFG|BMBF|INSERM|Health Research|Heart Association|Diabetes Association|Cancer (?:Society|Research UK)|public|governmental|state budget|Institute of|Council|intramural|Trust|Charit(?:y|able)|Society|Association|NHS|FAPE\w+|Fondecyt|CONICYT|COLCIENCIAS|College of|Faculty of|School of|Department of)\b/;
const SUPPLIED =
  /\b(?:suppl(?:ied|y of)|provided|donated|gift of|kindly|manufactured)\b[^.]{0,80}\b(?:capsules?|tablets?|supplements?|placebo|product|powder|study (?:drug|medication)|materials?|formula|drug)\b|\b(?:capsules?|tablets?|supplements?|placebo|product|powder|study (?:drug|medication)|formula)\b[^.]{0,60}\b(?:were|was) (?:\w+ )?(?:supplied|provided|donated|gifted|manufactured)\b/i;
const COMPETING =
  /\b(?:competing|conflicts? of) interests?\b|\bhonorari|\bconsultan|\bemploy|\bspeaker|\badvisory board|\bshareholder|\bstock\b|\blecture fees|\bpersonal fees/i;
// Classes of sponsors in the trial register.
const REGISTER_INDUSTRY = /\(INDUSTRY\)/;
const REGISTER_PUBLIC = /\((?:NIH|FED|OTHER_GOV)\)/;
const PUBLIC_TYPE = /^research support, (?:n\.i\.h\.|u\.s\. gov't)/i;

interface Seen {
  industry: boolean;
  public: boolean;
  none: boolean;
}

const LABEL = /^(?:funding|grants?|support|acknowledge?ments?)\s?: ?/i;
const THANKS = /\b(?:thanks?|grateful|acknowledge|appreciation|assistance)\b/i;

// In "A grant from Zincworks to the hospital", the hospital receives the money and is not the funder.
const PAID = /(\b(?:grants?|funding|support)\b[^.;]{0,60}? (?:from|by) [^.;]{0,90}?) to (?:the )?[A-Z][^.;]*/;
const COMPANY_BY_NAME = /\b(?:from|by) (?:the )?[A-Z]\w+pharm\b/;

const look = (labelled: string, seen: Seen): void => {
  const sentence = labelled.replace(LABEL, '').replace(PAID, '$1');
  if (THANKS.test(sentence) && !FUNDS.test(sentence)) return;
  if (NO_FUNDS.test(labelled)) seen.none = true;
  else if (SUPPLIED.test(sentence) && !/\bfunded|grants?\b/i.test(sentence)) return;
  else {
    seen.industry ||=
      COMPANY.test(sentence) ||
      REGISTER_INDUSTRY.test(sentence) ||
      COMPANY_NAMES.test(sentence) ||
      COMPANY_BY_NAME.test(sentence) ||
      IN_PRIVATE_WORDS.test(sentence);
    seen.public ||= PUBLIC.test(sentence) || REGISTER_PUBLIC.test(sentence);
  }
};

/**
 * Reads who paid for the study: from the funding statement, else from funding sentences of the abstract, else from the
 * publication types. Supplied capsules and an author's fees are not funding of the study and do not count.
 */
export const readFunding = (record: SourceRecord): Funding => {
  if (record.stated !== null) return record.stated.funding;
  const seen: Seen = { industry: false, public: false, none: false };
  for (const sentence of splitSentences(unify(record.fundingText.slice(0, LIMIT)))) {
    if (
      !COMPETING.test(sentence) ||
      (FUNDS.test(sentence) && /\b(?:this|the|present) (?:study|trial|work|research|project)\b/i.test(sentence))
    )
      look(sentence, seen);
  }
  for (const sentence of splitSentences(unify(record.abstract.slice(-LIMIT)))) {
    if (
      /\b(?:funded by|funding:|funding source|supported by (?:a |the )?(?:grant|[A-Z])|sponsored by|financial support|\(funded)/i.test(
        sentence,
      )
    )
      look(sentence, seen);
  }
  seen.public ||= record.publicationTypes.some((type) => PUBLIC_TYPE.test(type));
  if (seen.industry) return seen.public ? 'mixed' : 'industry';
  if (seen.public) return 'public';
  return seen.none ? 'none' : 'not_stated';
};
