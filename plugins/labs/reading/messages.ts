/** What the reading process and its parent say to each other. */
import type { Reading, TestType } from '../report.ts';
import type { Marker } from './book.ts';
import type { Progress, UploadedReport } from './index.ts';

export type ToChild =
  | { readonly kind: 'book'; readonly markers: readonly Marker[] }
  | {
      readonly kind: 'read';
      readonly files: readonly UploadedReport[];
      readonly testType: TestType;
      readonly hasVision: boolean;
    }
  | { readonly kind: 'seen'; readonly call: number; readonly text: string | null };

export type FromChild =
  | { readonly kind: 'progress'; readonly progress: Progress }
  /** A picture for the vision model, which only the parent can ask. */
  | {
      readonly kind: 'look';
      readonly call: number;
      readonly png: Buffer;
      readonly prompt: string;
      readonly schema: object;
    }
  | { readonly kind: 'done'; readonly reading: Reading; readonly crops: readonly (readonly [number, Buffer])[] }
  | { readonly kind: 'failed' };
