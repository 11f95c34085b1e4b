/** Creates a reader whose process module is loaded with the first export, because most servers never read one. */
import type { ExportReader } from '../phone-export/process.ts';

export const lazyReader = (): ExportReader => {
  let reader: ExportReader | null = null;
  let isStopped = false;
  return {
    read: async (file, options) => {
      const { createExportReader } = await import('../phone-export/process.ts');
      if (isStopped) throw new Error('stopped');
      reader ??= createExportReader();
      return reader.read(file, options);
    },
    stop: async () => {
      isStopped = true;
      await reader?.stop();
    },
  };
};
