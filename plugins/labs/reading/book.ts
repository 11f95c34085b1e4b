/** The face of the biomarkers plugin that reading uses: a book of markers and printed units, both without a database. */
export type { Book, NamedMarker } from '#plugins/biomarkers/book.ts';
export { createBook } from '#plugins/biomarkers/book.ts';
export type { Marker, Specimen } from '#plugins/biomarkers/marker.ts';
export { readUnit } from '#plugins/biomarkers/units.ts';
