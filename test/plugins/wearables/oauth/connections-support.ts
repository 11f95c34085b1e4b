/** Connections of a device to vendors whose servers run locally. */
import { randomBytes } from 'node:crypto';
import { coreSettings, loadConfig } from '#core/config.ts';
import { createLog } from '#core/log.ts';
import type { ConnectionParts, Connections } from '#plugins/wearables/oauth/connection-types.ts';
import { createConnections } from '#plugins/wearables/oauth/connections.ts';
import { vendors } from '#plugins/wearables/vendors/index.ts';
import { vendorSettings } from '#plugins/wearables/vendors/settings.ts';
import type { VendorEndpoints } from '#plugins/wearables/vendors/vendor.ts';
import type { DailyRow, VendorSlug } from '#plugins/wearables/vitals.ts';
import { sql } from '../../../support/database.ts';
import { type SharedService, sharedService } from '../../../support/shared.ts';
import { type Answering, type DataServer, startDataServer } from '../vendors/data-server.ts';
import { type AuthorizationServer, BASE_URL, startAuthorizationServer } from './authorization-server.ts';
import { WITHINGS_TOKEN_PATH } from './withings-front.ts';

export interface Place {
  service: SharedService;
  authorization: AuthorizationServer;
  data: DataServer;
}

export interface Own {
  readonly device: string;
  readonly connections: Connections;
  /** All lines that were logged. */
  readonly lines: string[];
  /** Rows that were stored. */
  readonly kept: DailyRow[];
  /** Milliseconds that are added to the current time. */
  readonly clock: { ahead: number };
  /** Completes the flow as a person does; also returns the callback parameters, so that a test can reuse them. */
  connect(
    vendor: VendorSlug,
  ): Promise<{ readonly completion: unknown; readonly callback: Readonly<Record<string, string>> }>;
  sync(vendor: VendorSlug): ReturnType<Connections['sync']>;
  row(vendor: VendorSlug): Promise<Readonly<Record<string, unknown>> | undefined>;
}

export const settingsAt = (
  { authorization, data }: Pick<Place, 'authorization' | 'data'>,
  more: Readonly<Record<string, Partial<VendorEndpoints>>> = {},
): Record<string, string> => {
  const endpoints = Object.fromEntries(
    vendors.map(({ slug }) => [
      slug,
      {
        issuer: authorization.url,
        authorize: `${authorization.url}/auth`,
        token: `${authorization.url}${slug === 'withings' ? WITHINGS_TOKEN_PATH : '/token'}`,
        revoke: `${data.url}/revoke`,
        data: data.url,
        ...more[slug],
      },
    ]),
  );
  return {
    BASE_URL,
    WEARABLE_ENDPOINTS: JSON.stringify(endpoints),
    ...Object.fromEntries(
      vendors.flatMap(({ slug, settingPrefix }) => [
        [`${settingPrefix}_CLIENT_ID`, `${slug}-client`],
        [`${settingPrefix}_CLIENT_SECRET`, `${slug}-secret`],
      ]),
    ),
  };
};

export const configOf = (settings: Readonly<Record<string, string>>) =>
  loadConfig([...coreSettings, ...vendorSettings], settings, null);

export const connectionsFor = (
  place: Place,
  {
    settings = settingsAt(place),
    ...more
  }: Partial<ConnectionParts> & { readonly settings?: Record<string, string> } = {},
): Own => {
  const { service, authorization } = place;
  const { db, secrets } = service.runtime;
  const device = randomBytes(32).toString('hex');
  const [lines, kept, clock]: [string[], DailyRow[], { ahead: number }] = [[], [], { ahead: 0 }];
  const connections = createConnections({
    db,
    secrets,
    config: configOf(settings),
    log: createLog('info', (line) => lines.push(line)),
    now: () => Date.now() + clock.ahead,
    ...more,
  });
  return {
    device,
    connections,
    lines,
    kept,
    clock,
    connect: async (vendor) => {
      const begun = await connections.begin(device, vendor);
      if (typeof begun === 'string') return { completion: begun, callback: {} };
      const callback = await authorization.walk(begun.url);
      return { completion: await connections.complete(device, vendor, callback), callback };
    },
    sync: (vendor) =>
      connections.sync(device, vendor, async (_em, rows) => {
        kept.push(...rows);
      }),
    row: async (vendor) =>
      (await sql(service, 'select * from wearable_connection where device = ? and vendor = ?', [device, vendor]))[0],
  };
};

/** Starts the servers before a suite, resets them before each test, and stops them after the suite. */
export const usePlace = (): Place => {
  const place = {} as Place;
  before(async () => {
    place.service = await sharedService();
    place.authorization = await startAuthorizationServer();
    place.data = await startDataServer();
  });
  beforeEach(() => {
    place.data.forget();
    place.authorization.instead(null);
  });
  after(async () => {
    await place.authorization.close();
    await place.data.close();
  });
  return place;
};

/** Responds only to tokens that the authorization server accepts. */
export const letIn =
  ({ authorization }: Place, answering: Answering): Answering =>
  async (asked) =>
    (await authorization.accepts(asked.authorization)) ? answering(asked) : { status: 401, body: {} };

export const today = new Date().toISOString().slice(0, 10);

/** Makes Oura return one day with the given number of steps. */
export const ouraAnswers = (place: Place, steps = 4_321): void => {
  const empty = letIn(place, () => ({ body: { data: [] } }));
  for (const name of ['sleep', 'daily_spo2', 'vO2_max']) place.data.on(`GET /v2/usercollection/${name}`, empty);
  const activity = { body: { data: [{ day: today, steps }] } };
  place.data.on(
    'GET /v2/usercollection/daily_activity',
    letIn(place, () => activity),
  );
};

/** Returns a device that is connected to a vendor. */
export const connectedTo = async (
  place: Place,
  vendor: VendorSlug,
  more: Parameters<typeof connectionsFor>[1] = {},
): Promise<Own> => {
  const own = connectionsFor(place, more);
  const { completion } = await own.connect(vendor);
  if (completion !== 'connected') throw new Error(`${vendor} was not connected: ${JSON.stringify(completion)}`);
  return own;
};
