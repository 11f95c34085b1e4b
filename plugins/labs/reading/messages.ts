/** What goes between the site and the process that reads. Plain data: it travels by structured clone. */

import type { TestType } from '../report.ts';
import type { Marker } from './book.ts';
import type { Progress, ReadResult } from './index.ts';

export type ToChild =
  | { readonly kind: 'book'; readonly markers: readonly Marker[] }
  | {
      readonly kind: 'read';
      readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
      readonly testType: TestType;
      readonly hasVision: boolean;
    }
  /** A vision model's answer; "" when it gave none. */
  | { readonly kind: 'said'; readonly id: number; readonly text: string };

export type FromChild =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | {
      readonly kind: 'look';
      readonly id: number;
      readonly png: Uint8Array;
      readonly prompt: string;
      readonly schema: object;
    }
  | { readonly kind: 'done'; readonly result: ReadResult }
  | { readonly kind: 'failed' };
