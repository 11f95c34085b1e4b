/** Sentences of the lab pages: what happened, why a value needs a review, and what to do. */
import type { FlaggedBy } from './assess.ts';
import type { Doubt, FileOutcome, Flag } from './report.ts';

export const DOUBT_WORDS: Readonly<Record<Doubt, string>> = {
  unknown_marker:
    'This name is none that we know. Choose one from the list, or keep it as it is: it is stored, and compared with nothing.',
  several_markers: 'The name can mean more than one test. Check that the right one is chosen.',
  unclear_name: 'The name was hard to read.',
  no_unit: 'No unit was found. Without it the number cannot be compared.',
  unknown_unit: 'The unit is none that we know. Check it against the report.',
  unit_does_not_fit: 'The unit is not one that this test is measured in. Check both.',
  implausible:
    'This number can hardly be right in this unit. Look at the report again: a decimal point or the unit may be wrong.',
  far_from_range: 'The number is far from the printed range. Look again.',
  unclear_number: 'The number could not be read for certain. Type it as it stands on the report.',
  lost_decimal_point: 'A decimal point may have been lost.',
  decimal_comma: 'The comma could be a decimal sign or part thousands. Check the number.',
  flag_disagrees: 'The mark on the report (high, low) does not go with the printed range.',
  several_values: 'More than one value stood in this row, perhaps an earlier result. Check that this is the new one.',
  twice_in_report: 'This test stands in the report more than once.',
  percent_or_count: 'It may be a share (%) or a count. Check the unit.',
  poor_scan: 'The picture was hard to read here.',
  from_model: 'Read by a vision model and not found again on the page. Check every digit.',
};

export const OUTCOME_WORDS: Readonly<Record<FileOutcome, string>> = {
  read: 'was read',
  no_values:
    'has no values that we could find. If it is a report, type the values below, or take a sharper picture in good light, flat and straight.',
  encrypted: 'is locked with a password. Open it, save or print it as a new PDF without the password, and upload that.',
  damaged: 'is damaged and could not be read. Export it again from where you got it, or photograph it.',
  too_many_pages: 'has more than 30 pages. Upload only the pages with values.',
  unreadable_picture: 'could not be opened as a picture. Save it as JPEG or PNG and upload it again.',
  not_a_report:
    'does not look like a laboratory report. If it is one, type the values below, or take a sharper picture.',
  too_large:
    'takes more memory to read than we give one file. Upload fewer pages at a time or a smaller picture, or type the values below.',
  took_too_long: 'took too long to read. Upload fewer pages at a time, or type the values below.',
  interrupted:
    'was not read: the server stopped while it was being read. It is not tried a second time. Upload it again, or type the values below.',
};

export const WARNING_WORDS: Readonly<Record<string, string>> = {
  several_reports:
    'There seems to be more than one report in this upload (different days or laboratories). Set the day of the draw below, and remove the values that belong to another day.',
  several_people: 'There seem to be reports of more than one person in this upload. Keep only your own values.',
  instructions_in_text:
    'The file has text that tries to give instructions to a program. It was treated as text and nothing else. Check the values with particular care.',
};

export const FLAG_WORDS: Readonly<Record<Flag, string>> = {
  low: 'below the range',
  normal: 'within the range',
  high: 'above the range',
  critical: 'critical',
  unknown: 'not compared',
};

/** Why a value was not compared, if there is a specific reason. */
export const NOT_COMPARED: Readonly<Partial<Record<FlaggedBy, string>>> = {
  disagreement: 'our sources disagree',
  conflict: 'not compared: the printed range, its mark and our limits do not go together. Check value and unit',
  implausible: 'not compared: the number can hardly be right in this unit',
  mark: 'marked by the laboratory',
};

export const NOTICE_WORDS = {
  saved: 'Saved.',
  made: 'A report was made. Add the values below.',
  changed_elsewhere:
    'Nothing was saved: this report was changed meanwhile, perhaps in another tab. Look at it as it is now, and try again.',
  nothing_confirmed: 'The document for your doctor is made of values that you have confirmed. Confirm some first.',
  deleted: 'The report has been deleted.',
  imported: 'The file was read. Look at the values below.',
  logged: 'Noted.',
} as const;

export type Notice = keyof typeof NOTICE_WORDS | '';

export const STAGE_WORDS: Readonly<Record<string, string>> = {
  waiting: 'Waiting for its turn',
  opening: 'Opening the file',
  text: 'Reading the text',
  letters: 'Reading letters off the picture',
  values: 'Finding values',
};
