import { emptyRecord, type SourceRecord } from '../source-record.ts';
import { asSentence, cleanList, cleanText } from './clean-text.ts';
import { nctIdOf, yearIn } from './identifiers.ts';

/** Any JSON value, where an object, an array or a string is expected. */
type Loose = unknown;

const part = (value: Loose, ...path: readonly string[]): Loose => {
  let found = value;
  for (const name of path) {
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, name)
        ? (found as Record<string, Loose>)[name]
        : undefined;
  }
  return found;
};

// The registry writes Markdown, which escapes characters such as * and > with a backslash.
const text = (value: Loose): string =>
  typeof value === 'string' ? cleanText(value.replace(/\\([\\`*_{}[\]()#+.!<>~|^-])/g, '$1')) : '';

const list = (value: Loose): readonly Loose[] => (Array.isArray(value) ? value : []);

const words: Readonly<Record<string, string>> = {
  EARLY_PHASE1: 'Early Phase 1',
  PHASE1: 'Phase 1',
  PHASE2: 'Phase 2',
  PHASE3: 'Phase 3',
  PHASE4: 'Phase 4',
  NA: 'Not Applicable',
};

const typesByStudyType: Readonly<Record<string, string>> = {
  INTERVENTIONAL: 'Clinical Trial',
  OBSERVATIONAL: 'Observational Study',
  EXPANDED_ACCESS: 'Expanded Access',
};

const publicationTypesOf = (design: Loose): string[] =>
  cleanList([
    typesByStudyType[text(part(design, 'studyType'))] ?? '',
    text(part(design, 'designInfo', 'allocation')) === 'RANDOMIZED' ? 'Randomized' : '',
  ]);

/** Formats the status, as in "COMPLETED (actual)": the registry's status, and whether the enrolment is a count or a plan. */
const statusOf = (protocol: Loose): string => {
  const status = text(part(protocol, 'statusModule', 'overallStatus'));
  const type = text(part(protocol, 'designModule', 'enrollmentInfo', 'type'));
  const counted = type === 'ACTUAL' ? '(actual)' : type === 'ESTIMATED' ? '(planned)' : '';
  return [status, counted].filter((word) => word !== '').join(' ');
};

const sponsorOf = (sponsor: Loose): string => {
  const name = text(part(sponsor, 'name'));
  const group = text(part(sponsor, 'class'));
  return name === '' || group === '' ? name : `${name} (${group})`;
};

const fundingOf = (sponsors: Loose): string => {
  const lead = sponsorOf(part(sponsors, 'leadSponsor'));
  const others = cleanList(list(part(sponsors, 'collaborators')).map(sponsorOf));
  return [lead === '' ? '' : `Sponsor: ${lead}`, others.length === 0 ? '' : `Collaborators: ${others.join('; ')}`]
    .filter((sentence) => sentence !== '')
    .map((sentence, index, all) => (all.length > 1 && index === 0 ? asSentence(sentence) : sentence))
    .join(' ');
};

const keywordsOf = (protocol: Loose): string[] => {
  const interventions = list(part(protocol, 'armsInterventionsModule', 'interventions'));
  return cleanList(
    [
      ...list(part(protocol, 'conditionsModule', 'conditions')),
      ...interventions.flatMap((one) => [part(one, 'name'), ...list(part(one, 'otherNames'))]),
      ...list(part(protocol, 'conditionsModule', 'keywords')),
    ].map(text),
  );
};

const meshOf = (derived: Loose): string[] =>
  cleanList(
    ['conditionBrowseModule', 'interventionBrowseModule'].flatMap((module) =>
      list(part(derived, module, 'meshes')).map((mesh) => text(part(mesh, 'term'))),
    ),
  );

/** Maps a study of API version 2; returns undefined when the value is not a study. The year is the start year. */
export const studyRecord = (study: Loose): SourceRecord | undefined => {
  const protocol = part(study, 'protocolSection');
  if (typeof protocol !== 'object' || protocol === null) return undefined;
  const identification = part(protocol, 'identificationModule');
  const count = part(protocol, 'designModule', 'enrollmentInfo', 'count');
  return {
    ...emptyRecord('ctgov'),
    nctId: nctIdOf(text(part(identification, 'nctId'))),
    title: text(part(identification, 'officialTitle')) || text(part(identification, 'briefTitle')),
    abstract: text(part(protocol, 'descriptionModule', 'briefSummary')),
    journal: 'ClinicalTrials.gov',
    year: yearIn(text(part(protocol, 'statusModule', 'startDateStruct', 'date'))),
    language: 'eng',
    publicationTypes: [
      ...publicationTypesOf(part(protocol, 'designModule')),
      ...(part(study, 'hasResults') === true ? ['Results Posted'] : []),
    ],
    meshTerms: meshOf(part(study, 'derivedSection')),
    keywords: keywordsOf(protocol),
    fundingText: fundingOf(part(protocol, 'sponsorCollaboratorsModule')),
    enrolment: typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null,
    trialStatus: statusOf(protocol),
    trialPhase: cleanList(
      list(part(protocol, 'designModule', 'phases')).map((phase) => words[text(phase)] ?? text(phase)),
    ).join('/'),
  };
};
