/** Registration of this installation with a vendor: client, endpoints, and redirect URI. */
import type { Config } from '#core/config.ts';
import { OperatorError } from '#core/errors.ts';
import { findVendor } from '../vendors/index.ts';
import type { Vendor, VendorClient, VendorEndpoints } from '../vendors/vendor.ts';

export interface Programme {
  readonly vendor: Vendor;
  readonly client: VendorClient;
  readonly endpoints: VendorEndpoints;
  readonly redirectUri: string;
}

export interface Programmes {
  /** Returns the registration; null if the operator has no client, or the vendor has ended. */
  of(vendor: Vendor): Programme | null;
}

const MEMBERS = ['issuer', 'authorize', 'token', 'revoke', 'data'];

/**
 * Parses the endpoint overrides.
 * @throws OperatorError when WEARABLE_ENDPOINTS does not have the format described in content/docs/settings.md.
 */
const readOverrides = (text: string): Readonly<Record<string, Partial<VendorEndpoints>>> => {
  if (!text) return {};
  const wrong = (what: string) => new OperatorError(`WEARABLE_ENDPOINTS: ${what}`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw wrong('this is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw wrong('an object is needed');
  for (const [slug, endpoints] of Object.entries(parsed)) {
    if (!findVendor(slug)) throw wrong(`there is no vendor ${slug}`);
    for (const [member, url] of Object.entries(Object(endpoints))) {
      if (!MEMBERS.includes(member)) throw wrong(`${slug} has no ${member}`);
      if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:/.test(url)) {
        throw wrong(`${slug}.${member} is no http or https address`);
      }
    }
  }
  return parsed as Readonly<Record<string, Partial<VendorEndpoints>>>;
};

export const programmesOf = (config: Config): Programmes => {
  const overrides = readOverrides(config.text('WEARABLE_ENDPOINTS'));
  const base = config.text('BASE_URL');
  return {
    of: (vendor) => {
      if (vendor.hasEnded) return null;
      const [id, secret] = ['ID', 'SECRET'].map((name) => config.text(`${vendor.settingPrefix}_CLIENT_${name}`));
      if (!id || !secret) return null;
      return {
        vendor,
        client: { id, secret },
        endpoints: { ...vendor.endpoints, ...overrides[vendor.slug] },
        redirectUri: `${base}/wearables/callback/${vendor.slug}`,
      };
    },
  };
};
