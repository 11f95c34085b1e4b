/**
 * Parts of the biomarkers plugin that the reading uses: the book of markers and the parser of printed units, both without a
 * database.
 */
export type { Book, NamedMarker } from '#plugins/biomarkers/book.ts';
export { createBook } from '#plugins/biomarkers/book.ts';
export type { Marker, Specimen } from '#plugins/biomarkers/marker.ts';
export { readUnit } from '#plugins/biomarkers/units.ts';
