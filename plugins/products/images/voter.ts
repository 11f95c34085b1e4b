/** Who votes or reports: a device where its cookie came along, else the address. Both are kept as hashes only. */

import { quotaAddress } from '#core/http/client-address.ts';
import { carriesDevice } from '#core/http/device.ts';
import type { Context, Input, RequestSchemas } from '#core/plugin.ts';

export interface Voter {
  /** The hash of the device. */
  readonly id: string;
  /** The keyed hash of the IPv4 address, or of the /64 of an IPv6 one. */
  readonly address: string;
  /** False on a first visit, and for a caller that keeps no cookies: the address then says who it is. */
  readonly byCookie: boolean;
}

/** For routes with `device: 'make'`. */
export const voterOf = (
  { device, secrets, principal }: Pick<Context, 'device' | 'secrets' | 'principal'>,
  headers: Input<RequestSchemas>['headers'],
): Voter => {
  const address = secrets.pseudonym('label-image-address', quotaAddress(principal.address));
  return { id: device ?? address, address, byCookie: device !== null && carriesDevice(headers.cookie) };
};

export const auditName = ({ id }: Voter): string => `voter:${id}`;
