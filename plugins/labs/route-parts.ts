/** What the routes and pages of the lab flows have in common. */
import { Type } from 'typebox';

export const tag = 'Labs';
/** The session's name for the report that was looked at last. */
export const REPORT_SESSION = 'report_id';

/** A day, RFC 3339; the form's empty field is "not given". */
export const Day = Type.String({ format: 'date', maxLength: 10 });
export const ReportId = Type.String({ pattern: '^rep_[0-9a-f]{32}$', maxLength: 36 });
/** In a query: "" is "not given". */
export const ReportQuery = Type.Object({ report_id: Type.String({ maxLength: 100, default: '' }) });
