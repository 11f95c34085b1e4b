/** Exports the public interface of label images for the plugin that registers them and for its product card and pages. */
import { adminRoutes } from './admin-routes.ts';
import { forgetVotersJob } from './forget.ts';
import { publicRoutes } from './routes.ts';
import { sweepJob } from './sweep.ts';

export { imagesOf } from './rows.ts';
export { ImageReply } from './schemas.ts';
export { type HasImages, type ImageServices, startImages } from './services.ts';

export const imageRoutes = [...publicRoutes, ...adminRoutes];
export const imageJobs = [sweepJob, forgetVotersJob];
