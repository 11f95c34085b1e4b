/** Messages between the site and the process that reads reports. Plain data, sent by structured clone. */

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
  /** A requested file; null if it no longer exists. */
  | { readonly kind: 'file'; readonly at: number; readonly bytes: Uint8Array | null }
  /** Response of a vision model; "" if there is none. */
  | { readonly kind: 'said'; readonly id: number; readonly text: string };

export type FromChild =
  | { readonly kind: 'progress'; readonly progress: Progress }
  /**
   * Requests one file at a time: all files of a report, copied for the transfer, would take several hundred megabytes in the
   * site.
   */
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
