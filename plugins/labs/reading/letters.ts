/** Runs OCR with tesseract, with the language data of its package: nothing is fetched, and nothing is cached on disk. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createWorker, PSM, type Worker } from 'tesseract.js';
import type { Word } from './page-words.ts';

export interface Letters {
  /** Reads an image. `layout`: `sparse` for a page with tables, `block` for consecutive lines. */
  read(png: Buffer, layout: 'sparse' | 'block'): Promise<readonly Word[]>;
  close(): Promise<void>;
}

const dataFolder = join(
  dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
  '4.0.0_best_int',
);

const begin = async (): Promise<Worker> => {
  const worker = await createWorker('eng', 1, { langPath: dataFolder, gzip: true, cacheMethod: 'none' });
  await worker.setParameters({ user_defined_dpi: '300', preserve_interword_spaces: '1' });
  return worker;
};

const modes = { sparse: PSM.SPARSE_TEXT, block: PSM.SINGLE_BLOCK } as const;

/** Creates the reader; its worker is started with the first image. */
export const createLetters = (): Letters => {
  let started: Promise<Worker> | null = null;
  return {
    read: async (png, layout) => {
      started ??= begin();
      const worker = await started;
      await worker.setParameters({ tessedit_pageseg_mode: modes[layout] });
      const { data } = await worker.recognize(png, {}, { blocks: true, text: false });
      const lines = (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines));
      return lines.flatMap(({ words }) =>
        words.map(({ text, confidence, bbox }) => ({
          text: text.trim(),
          confidence: confidence / 100,
          x: bbox.x0,
          y: bbox.y0,
          width: bbox.x1 - bbox.x0,
          height: bbox.y1 - bbox.y0,
        })),
      );
    },
    close: async () => {
      const worker = await started?.catch(() => null);
      started = null;
      await worker?.terminate();
    },
  };
};
