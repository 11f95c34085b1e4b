/**
 * Identifies voters and reporters: by device when the cookie was sent, otherwise by address. Both are stored as hashes only.
 */

import { providerRange, siteAddress } from '#core/http/client-address.ts';
import { carriesDevice } from '#core/http/device.ts';
import type { Context, Input, RequestSchemas } from '#core/plugin.ts';

export interface Voter {
  /** Hash of the device. */
  readonly id: string;
  /** Keyed hash of the IPv4 address, or of the /48 of an IPv6 address: the range of one household. */
  readonly address: string;
  /** Keyed hash of the provider's range. */
  readonly network: string;
  /** False on a first visit and for a caller without cookies, who is identified by address. */
  readonly byCookie: boolean;
}

/** Identifies the voter, for routes with `device: 'make'`. */
export const voterOf = (
  { device, secrets, principal }: Pick<Context, 'device' | 'secrets' | 'principal'>,
  headers: Input<RequestSchemas>['headers'],
): Voter => {
  const address = secrets.pseudonym('label-image-address', siteAddress(principal.address));
  const network = secrets.pseudonym('label-image-network', providerRange(principal.address));
  return { id: device ?? address, address, network, byCookie: device !== null && carriesDevice(headers.cookie) };
};

export const auditNameOf = (id: string): string => `voter:${id}`;

export const auditName = ({ id }: Voter): string => auditNameOf(id);
