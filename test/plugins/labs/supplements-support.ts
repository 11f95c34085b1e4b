/** A person with a device for the tests of the supplement log, trends, insights, the PDF and FHIR. */
import { createHash, randomInt } from 'node:crypto';
import supertest from 'supertest';
import {
  EMPTY_REPORT,
  enteredMarker,
  type SealedReport,
  type StoredMarker,
} from '../../../plugins/labs/sealed-report.ts';
import { addReport, newReportId } from '../../../plugins/labs/store.ts';
import type { TestService } from '../../support/service.ts';

/** Gives consent by default, because the tests of the supplement log do not test consent. */
const agreed = (path: string): object => (path.endsWith('/supplement-log') ? { consent: true } : {});

/** A browser with its own device cookie from the first request. */
export class Visitor {
  readonly service: TestService;
  readonly cookie: string;
  readonly device: string;
  /** Each visitor has its own address, so that the limits by address do not affect the other tests. */
  readonly #address = `198.18.${randomInt(256)}.${randomInt(256)}`;
  constructor(service: TestService, name: string) {
    this.service = service;
    const token = createHash('sha256').update(`${name} ${Math.random()}`).digest('base64url');
    this.cookie = `ekb_device=${token}`;
    this.device = createHash('sha256').update(token).digest('hex');
  }
  get(path: string) {
    return this.#with(supertest(this.service.url).get(path));
  }
  send(path: string, body: object = {}) {
    return this.#with(supertest(this.service.url).post(path))
      .set('Content-Type', 'application/json')
      .send({ ...agreed(path), ...body });
  }
  form(path: string, fields: object = {}) {
    return this.#with(supertest(this.service.url).post(path))
      .type('form')
      .send({ ...agreed(path), ...fields });
  }
  upload(path: string, content: string | Buffer) {
    return this.#with(supertest(this.service.url).post(path))
      .field('consent', 'true')
      .attach('file', Buffer.from(content), 'bundle.json');
  }
  #with(request: supertest.Test): supertest.Test {
    return request.set('Cookie', this.cookie).set('X-Forwarded-For', this.#address);
  }
  /** Stores a report with its values, in the state after review. */
  async report(report: Partial<SealedReport>, more: { readonly testType?: 'blood' | 'urine' } = {}): Promise<string> {
    const { db, secrets } = this.service.runtime;
    const reportId = newReportId();
    await db.write((em) =>
      addReport(
        { em, secrets, device: this.device },
        {
          reportId,
          testType: more.testType ?? 'blood',
          sourceType: 'manual',
          files: 0,
          kept: { ...EMPTY_REPORT, ...report },
        },
      ),
    );
    return reportId;
  }
}

/** Returns a confirmed value; `text` is the printed value, such as "<5". */
export const confirmed = (
  slug: string,
  text: string,
  unit: string,
  more: Partial<StoredMarker> = {},
): StoredMarker => ({
  ...enteredMarker(more.markerId ?? `m-${slug}`, {
    slug,
    rawName: slug,
    value: Number(text.replace(/^[<>]/, '')),
    valueText: text,
    comparator: (/^[<>]/.exec(text)?.[0] ?? '=') as '<' | '>' | '=',
    unit,
    ucum: unit,
    range: { low: null, high: null, text: '' },
    doubts: [],
  }),
  ...more,
});
