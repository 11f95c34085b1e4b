/** Who votes or reports: a device where its cookie came along, else the address. Both are kept as hashes only. */

import { providerRange, siteAddress } from '#core/http/client-address.ts';
import { carriesDevice } from '#core/http/device.ts';
import type { Context, Input, RequestSchemas } from '#core/plugin.ts';

export interface Voter {
  /** The hash of the device. */
  readonly id: string;
  /** The keyed hash of the IPv4 address, or of the /48 of an IPv6 one: what one household may have. */
  readonly address: string;
  /** The keyed hash of the provider's range. */
  readonly network: string;
  /** False on a first visit, and for a caller that keeps no cookies: the address then says who it is. */
  readonly byCookie: boolean;
}

/** For routes with `device: 'make'`. */
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
