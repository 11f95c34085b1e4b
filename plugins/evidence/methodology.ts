import { Type } from 'typebox';

/** Response schema of GET /api/methodology: the tables that `grade` itself uses, and the current versions. */
export const METHODOLOGY = Type.Object(
  { version: Type.String(), retrieval_version: Type.String(), index_version: Type.String() },
  { additionalProperties: true },
);
