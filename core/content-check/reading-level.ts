/**
 * Returns the LIX readability score (C.-H. Björnsson, Läsbarhet, 1968): words per sentence, plus the percentage of words with
 * more than six letters. Newspapers have 40 to 50; texts above 60 are for specialists. Names of substances and trials raise the
 * score of our texts more than their difficulty, so the limits used here are the editors' own.
 */
export const lix = (text: string): number => {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
  const sentences = text.match(/[.!?:](?=\s|$)/g)?.length || 1;
  const long = words.filter((word) => word.length > 6).length;
  return words.length ? words.length / sentences + (100 * long) / words.length : 0;
};
