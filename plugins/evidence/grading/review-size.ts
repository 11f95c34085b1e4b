import type { RecordText } from './record-text.ts';
import { countedNouns, type SampleCandidate } from './sample-candidates.ts';
import { PEOPLE_NOUNS, STUDY_NOUNS } from './sample-nouns.ts';

const INCLUDED_BEFORE =
  /\b(?:includ(?:ed|ing)|total of|identified|revealed|yielded|analy[sz]ed|pooled|eligible|from|in|across|comprising|of|data from|meta-analysis of|review of)\s(?:\w+ ){0,1}$/;
const INCLUDED_AFTER =
  /^[^.;]{0,70}\b(?:were (?:finally |eventually |ultimately )?(?:included|eligible|selected|pooled|analy[sz]ed)|met|included|fulfilled|involving|comprising|enrolling|with a total|with \d|\(n|reporting|qualified|representing)\b|^ ?\(/;
const SEARCHED =
  /^[^.;]{0,60}\b(?:were (?:identified|retrieved|screened|found|excluded|reviewed)|identified|screened|excluded|potentially|were assessed|reported|showed|found)\b/;
const TOTAL_AFTER =
  /^[^.;]{0,40}\b(?:were included|were (?:finally )?included|in total|were analy[sz]ed|participated|randomi[sz]ed)\b/;
const NOT_POOLED =
  /\b(?:worldwide|globally|annually|per year|each year|prevalence|million people|in the united states|estimated)\b/;

const scoreStudies = (text: string, candidate: SampleCandidate): number => {
  const before = text.slice(Math.max(0, candidate.at - 40), candidate.at);
  const after = text.slice(candidate.end, candidate.end + 100);
  const rejected = SEARCHED.test(after) && !INCLUDED_AFTER.test(after) ? -4 : 0;
  const lookedAt = /\b(?:records|articles|citations|abstracts|papers|publications|reports)$/.test(candidate.phrase)
    ? -1.5
    : 0;
  const ofOthers =
    /(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|twenty|thirty|forty|fifty)) of (?:the )?$/.test(
      before,
    )
      ? -3
      : 0;
  const some = /\b(?:only|of the|of which|in|these|remaining)\s$/.test(before) ? -1 : 0;
  return (
    2 +
    (INCLUDED_BEFORE.test(before) ? 1 : 0) +
    (INCLUDED_AFTER.test(after) ? 3 : 0) +
    rejected +
    lookedAt +
    some +
    ofOthers
  );
};

const scorePeople = (text: string, candidate: SampleCandidate, studiesAt: number | null): number => {
  const before = text.slice(Math.max(0, candidate.at - 60), candidate.at);
  const after = text.slice(candidate.end, candidate.end + 90);
  if (NOT_POOLED.test(after) || NOT_POOLED.test(before)) return -5;
  const near = studiesAt !== null && Math.abs(candidate.at - studiesAt) < 140 ? 3 : 0;
  const total =
    /\b(?:total of|totall?ing|comprised|comprises|involved|enrolled|included|totaled|pooled |total|in total|comprising|involving|enrolling|including|with|representing|n ?=|\()\s?(?:of )?$/.test(
      before,
    )
      ? 2
      : 0;
  return near + total + (TOTAL_AFTER.test(after) ? 1 : 0) + (candidate.n >= 100 ? 1 : 0);
};

const N_NEAR = /\bn ?= ?(\d{1,3}(?:[, ]\d{3}){1,2}|\d{2,7})\b/;

const bestBy = (
  candidates: readonly SampleCandidate[],
  score: (candidate: SampleCandidate) => number,
  least: number,
): SampleCandidate | null => {
  let winner: SampleCandidate | null = null;
  let high = least;
  for (const candidate of candidates) {
    const points = score(candidate);
    if (points > high || (points === high && winner === null)) {
      winner = candidate;
      high = points;
    }
  }
  return winner;
};

/**
 * Reads how many people and studies a review pooled, as in "12 RCTs (1,208 participants)"; null where the text does not state it.
 */
export const pooledSize = ({
  abstract,
  title,
}: RecordText): { readonly n: number | null; readonly studies: number | null } => {
  const text = `${abstract} . ${title} `;
  const studyCounts = countedNouns(text, STUDY_NOUNS).filter(({ n }) => n < 5_000);
  const studies = bestBy(studyCounts, (candidate) => scoreStudies(text, candidate), 2);
  const people = bestBy(
    countedNouns(text, PEOPLE_NOUNS).filter(({ n }) => n >= 20),
    (candidate) => scorePeople(text, candidate, studies?.at ?? null),
    3,
  );
  if (people !== null) return { n: people.n, studies: studies?.n ?? null };
  const near = studies === null ? null : N_NEAR.exec(text.slice(studies.end, studies.end + 80));
  return { n: near === null ? null : Number((near[1] ?? '').replace(/[, ]/g, '')), studies: studies?.n ?? null };
};
