/** Splits the publication types that PubMed's RIS joins with spaces ("Journal Article Randomized Controlled Trial"). */
const known = [
  'Adaptive Clinical Trial', 'Case Reports', 'Clinical Study', 'Clinical Trial, Phase IV', 'Clinical Trial, Phase III',
  'Clinical Trial, Phase II', 'Clinical Trial, Phase I', 'Clinical Trial Protocol', 'Clinical Trial', 'Comment',
  'Comparative Study', 'Consensus Development Conference', 'Controlled Clinical Trial', 'Editorial', 'English Abstract',
  'Equivalence Trial', 'Evaluation Study', 'Expression of Concern', 'Guideline', 'Historical Article',
  'Introductory Journal Article', 'Journal Article', 'Letter', 'Meta-Analysis', 'Multicenter Study', 'News',
  'Observational Study, Veterinary', 'Observational Study', 'Practice Guideline', 'Pragmatic Clinical Trial', 'Preprint',
  'Published Erratum', 'Randomized Controlled Trial, Veterinary', 'Randomized Controlled Trial', 'Research Support, N.I.H., Extramural',
  'Research Support, N.I.H., Intramural', "Research Support, Non-U.S. Gov't", "Research Support, U.S. Gov't, Non-P.H.S.",
  "Research Support, U.S. Gov't, P.H.S.", 'Research Support, American Recovery and Reinvestment Act', 'Retracted Publication',
  'Retraction of Publication', 'Retraction Notice', 'Review', 'Scoping Review', 'Systematic Review', 'Twin Study',
  'Validation Study', 'Video-Audio Media',
]; // biome-ignore format: a list

/** Returns the types in a field: split into known types when they make up the whole field, else split at semicolons. */
export const typesInField = (field: string): string[] => {
  const found: string[] = [];
  let rest = field.trim();
  while (rest !== '') {
    const type = known.find((one) => rest === one || rest.startsWith(`${one} `) || rest.startsWith(`${one}, `));
    if (type === undefined) return field.split(';').map((part) => part.trim());
    found.push(type);
    rest = rest.slice(type.length).replace(/^[\s,;]+/, '');
  }
  return found;
};
