/** What goes between the site and the process that reads. Plain data: it travels by structured clone. */

import type { TestType } from '../report.ts';
import type { Marker } from './book.ts';
import type { Progress, ReadResult } from './index.ts';

export type ToChild =
  | { readonly kind: 'book'; readonly markers: readonly Marker[] }
  | {
      readonly kind: 'read';
      readonly names: readonly string[];
      readonly testType: TestType;
      readonly hasVision: boolean;
    }
  /** A file that was asked for; null when it is gone. */
  | { readonly kind: 'file'; readonly at: number; readonly bytes: Uint8Array | null }
  /** A vision model's answer; "" when it gave none. */
  | { readonly kind: 'said'; readonly id: number; readonly text: string };

export type FromChild =
  | { readonly kind: 'progress'; readonly progress: Progress }
  /** One file at a time: all of a report, copied for the way, would take several hundred megabytes of the site. */
  | { readonly kind: 'want'; readonly at: number }
  | {
      readonly kind: 'look';
      readonly id: number;
      readonly png: Uint8Array;
      readonly prompt: string;
      readonly schema: object;
    }
  | { readonly kind: 'done'; readonly result: ReadResult }
  | { readonly kind: 'failed' };
