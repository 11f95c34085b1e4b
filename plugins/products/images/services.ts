import type { Host } from '#core/plugin.ts';
import type { StoredObject } from '#core/storage/object-store.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { digestOfName, keyOfName } from './files.ts';
import { holdPicturesOf } from './moderation.ts';
import { createPictures } from './pictures.ts';
import { rowsOf } from './rows.ts';
import type { StatsReply } from './schemas.ts';
import { createStats } from './stats.ts';
import { type Stored, storeUpload, type Upload } from './storing.ts';
import { sweepObjects } from './sweep.ts';

export interface ImageServices {
  /**
   * Stores an upload.
   * @throws AppError as `storeUpload` does.
   */
  upload(upload: Upload): Promise<Stored>;
  /** Returns whether a name belongs to a picture that may be shown; hidden pictures may not. */
  isShown(name: string): Promise<boolean>;
  /** Returns the file of such a name, or null when the store has lost it. */
  file(name: string): Promise<StoredObject | null>;
  /** Returns the statistics, at most 30 seconds old. */
  stats(): Promise<StatsReply>;
  sweep(signal: AbortSignal): Promise<{ readonly seen: number; readonly removed: number }>;
}

/** Services that the routes and jobs of this folder require from their plugin. */
export interface HasImages {
  readonly images: ImageServices;
}

const SHOWN = "select 1 from label_image where sha256 = ? and status = 'active' limit 1";

export const startImages = ({ db, objects, use }: Pick<Host, 'db' | 'objects' | 'use'>): ImageServices => {
  use(keysPlugin).store.addTrace({
    name: 'label_images',
    end: async (em, { ids, since }) => (since ? holdPicturesOf(em, ids, since) : []),
  });
  const pictures = createPictures();
  return {
    upload: (upload) => storeUpload({ db, objects, pictures }, upload),
    isShown: async (name) => {
      const digest = digestOfName(name);
      return digest !== null && (await db.read((em) => rowsOf(em, SHOWN, [digest]))).length > 0;
    },
    file: (name) => objects.get(keyOfName(name)),
    stats: createStats(db),
    sweep: (signal) => sweepObjects({ db, objects, signal }),
  };
};
