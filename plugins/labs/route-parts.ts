/** Shared parts of the routes and pages of the lab flows. */
import { Type } from 'typebox';

export const tag = 'Labs';
/** Session key of the report that was viewed last. */
export const REPORT_SESSION = 'report_id';

/** A day, RFC 3339; an empty field of a form means "not given". */
export const Day = Type.String({ format: 'date', maxLength: 10 });
export const ReportId = Type.String({ pattern: '^rep_[0-9a-f]{32}$', maxLength: 36 });
/** Query of a report; "" means "not given". */
export const ReportQuery = Type.Object({ report_id: Type.String({ maxLength: 100, default: '' }) });
