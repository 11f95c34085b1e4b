/** Services of the plugin: reading grades, and keeping them up to date. */
import type { Host } from '#core/plugin.ts';
import { describeMethod, type MethodDescription } from './grading/describe-method.ts';
import { type GradeKeeper, gradeKeeper } from './keeper.ts';
import { type GradeReader, gradeReader } from './read-grades.ts';

export interface OutcomeServices extends GradeReader, GradeKeeper {
  readonly method: MethodDescription;
}

export const startOutcomes = (host: Host): OutcomeServices => ({
  ...gradeReader(host.db),
  ...gradeKeeper(host),
  method: describeMethod(),
});
