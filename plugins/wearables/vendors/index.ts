/** All vendors, in the order of the pages. */
import type { VendorSlug } from '../vitals.ts';
import { fitbit } from './fitbit.ts';
import { garmin } from './garmin.ts';
import { googleHealth } from './google-health.ts';
import { oura } from './oura.ts';
import { polar } from './polar.ts';
import type { Vendor } from './vendor.ts';
import { whoop } from './whoop.ts';
import { withings } from './withings.ts';

export const vendors: readonly Vendor[] = [googleHealth, oura, whoop, withings, garmin, polar, fitbit];

const bySlug = new Map<string, Vendor>(vendors.map((vendor) => [vendor.slug, vendor]));

/** Returns the vendor; null for an unknown slug. */
export const findVendor = (slug: string): Vendor | null => bySlug.get(slug) ?? null;

export const vendorOf = (slug: VendorSlug): Vendor => {
  const vendor = findVendor(slug);
  if (!vendor) throw new Error(`There is no vendor ${slug}`);
  return vendor;
};
