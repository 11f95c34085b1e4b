import { Type } from 'typebox';

/** GET /api/methodology: the tables that `grade` itself reads, and the versions in force. */
export const METHODOLOGY = Type.Object(
  { version: Type.String(), retrieval_version: Type.String(), index_version: Type.String() },
  { additionalProperties: true },
);
