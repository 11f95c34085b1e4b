/** Routes that connect and disconnect a vendor: consent, authorisation, callback and revocation. */
import { type Static, Type } from 'typebox';
import { notFound } from '#core/errors.ts';
import { invalid } from '#core/http/validate.ts';
import { type Context, defineRoute, type Reply, type Route } from '#core/plugin.ts';
import { back, hasConsented, keepConsent, requireConsent } from '#plugins/devices/index.ts';
import { tag } from './route-parts.ts';
import type { WearableServices } from './services.ts';
import { VENDOR_SLUGS, type VendorSlug } from './vitals.ts';

const VendorParams = Type.Object({ vendor_slug: Type.String({ maxLength: 40 }) });
const NoFields = Type.Object({});
/** Version of the consent text; it changes with the text of the page. */
const CONSENT_WORDING = 'wearable-vendor-2026-11';
const seeOther = (description: string) => ({ status: 303, mediaType: 'text/html', description });

/**
 * Returns the slug of a known vendor.
 * @throws AppError 404 for an unknown vendor.
 */
const vendorOf = (slug: string): VendorSlug => {
  const known = VENDOR_SLUGS.find((one) => one === slug);
  if (!known) throw notFound('Vendor', slug);
  return known;
};

const ConsentFields = Type.Object({ consent: Type.Optional(Type.Boolean({ description: 'Required: `true`.' })) });

const subjectOf = (vendor: VendorSlug): string => `wearable:${vendor}`;

/**
 * Records the consent for the device in a separate request: the contract's GET /wearables/connect has no fields, a link with a
 * consent could come from anybody, and browsers do not follow a form to a vendor (form-action).
 */
const consentRoute: Route = defineRoute<WearableServices, { params: typeof VendorParams; body: typeof ConsentFields }>({
  id: 'wearables.consent',
  method: 'POST',
  path: '/wearables/consent/{vendor_slug}',
  summary: 'Agree, once for this device, that days of a vendor are fetched and kept',
  description: 'GET /wearables/connect/{vendor_slug} asks for it: without it that answers 422 `consent_required`.',
  tag,
  access: 'public',
  device: 'make',
  request: { params: VendorParams, body: ConsentFields },
  throttle: { bucket: 'wearable_consent', perMinute: 30, perDay: 300 },
  replies: [seeOther('Back to /wearables, where the way to the vendor is open now')],
  raises: [
    'cross_site_request',
    'validation_failed',
    'malformed_json',
    'consent_required',
    'not_found',
    'quota_exceeded',
  ],
  handle: async ({ db, device }, { params, body }): Promise<Reply> => {
    const vendor = vendorOf(params.vendor_slug);
    requireConsent((body as Static<typeof ConsentFields>).consent === true);
    await db.write((em) =>
      keepConsent(em, device as string, { subject: subjectOf(vendor), wording: CONSENT_WORDING, isGiven: true }),
    );
    return back(`/wearables?notice=agreed&vendor=${vendor}`);
  },
});

const connectRoute: Route = defineRoute<WearableServices, { params: typeof VendorParams }>({
  id: 'wearables.connect',
  method: 'GET',
  path: '/wearables/connect/{vendor_slug}',
  summary: 'On to a vendor, where the person says what may be read; a state of one use is kept for the way back',
  description: 'For a device that agreed before: POST /wearables/consent/{vendor_slug}.',
  tag,
  access: 'public',
  device: 'make',
  request: { params: VendorParams },
  throttle: { bucket: 'wearable_connect', perMinute: 10, perDay: 100 },
  replies: [seeOther('To the vendor, or back to /wearables with the reason why not')],
  raises: ['not_found', 'consent_required', 'quota_exceeded'],
  handle: async ({ db, device, services }, { params }): Promise<Reply> => {
    const vendor = vendorOf(params.vendor_slug);
    const obstacle = services.connections.obstacle(vendor);
    if (obstacle) return back(`/wearables?notice=${obstacle}`);
    requireConsent(await db.read((em) => hasConsented(em, device as string, subjectOf(vendor))));
    const begun = await services.connections.begin(device as string, vendor);
    if (typeof begun === 'string') return back(`/wearables?notice=${begun}`);
    return back(begun.url);
  },
});

/** Characters that RFC 6749 permits in these parameters. */
const VISIBLE = '^[\\x20-\\x7e]*$';
const CallbackQuery = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 4_000, pattern: VISIBLE })),
  state: Type.Optional(Type.String({ maxLength: 500, pattern: VISIBLE })),
  error: Type.Optional(Type.String({ maxLength: 500, pattern: VISIBLE })),
});

const callbackRoute: Route = defineRoute<
  WearableServices,
  { params: typeof VendorParams; query: typeof CallbackQuery }
>({
  id: 'wearables.callback',
  method: 'GET',
  path: '/wearables/callback/{vendor_slug}',
  summary: 'Back from a vendor: the state is checked and used up, the code exchanged, the tokens sealed',
  tag,
  access: 'public',
  device: 'read',
  request: { params: VendorParams, query: CallbackQuery },
  throttle: { bucket: 'wearable_callback', perMinute: 20 },
  deadlineSeconds: 60,
  replies: [seeOther('To /wearables/success, or to /wearables with what went wrong')],
  raises: ['not_found', 'validation_failed', 'quota_exceeded'],
  handle: async (context: Context<WearableServices>, { params, query }): Promise<Reply> => {
    const { device, services } = context;
    const vendor = vendorOf(params.vendor_slug);
    const came = await services.connections.complete(device, vendor, query);
    if (came === 'bad-state')
      throw invalid(
        'query',
        'state',
        'This way back was used already, is too old, or began in another browser: connect again',
      );
    if (came !== 'connected') {
      const what =
        'refused' in came ? { notice: 'refused', why: came.refused } : { notice: 'failed', why: came.failed };
      return back(`/wearables?${new URLSearchParams({ ...what, vendor })}`);
    }
    services.syncs.wake();
    return back('/wearables/success?notice=connected');
  },
});

const disconnectRoute: Route = defineRoute<WearableServices, { params: typeof VendorParams; body: typeof NoFields }>({
  id: 'wearables.disconnect',
  method: 'POST',
  path: '/wearables/disconnect/{vendor_slug}',
  summary: 'Forget the tokens of a vendor and revoke them there; days that were fetched stay',
  tag,
  access: 'public',
  device: 'read',
  request: { params: VendorParams, body: NoFields },
  deadlineSeconds: 60,
  replies: [seeOther('Back to /wearables/data')],
  raises: ['cross_site_request', 'validation_failed', 'malformed_json', 'not_found'],
  handle: async ({ device, services }, { params }) => {
    const vendor = vendorOf(params.vendor_slug);
    if (device === null || !(await services.connections.disconnect(device, vendor)))
      throw notFound('Connection', vendor);
    return back('/wearables/data?notice=disconnected');
  },
});

export const connectRoutes: readonly Route[] = [consentRoute, connectRoute, callbackRoute, disconnectRoute];
