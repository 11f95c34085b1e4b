/**
 * LIX (C.-H. Björnsson, Läsbarhet, 1968): words a sentence, plus the share of words of more than six letters in per cent.
 * 40 to 50 is what newspapers print, above 60 is for specialists. Names of substances and trials make our texts harder
 * than they read, so the borders here are the editors' own.
 */
export const lix = (text: string): number => {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
  const sentences = text.match(/[.!?:](?=\s|$)/g)?.length || 1;
  const long = words.filter((word) => word.length > 6).length;
  return words.length ? words.length / sentences + (100 * long) / words.length : 0;
};
