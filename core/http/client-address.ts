/** Determines the client's address behind proxies, and the networks by which clients are counted. */
import { BlockList, isIP } from 'node:net';

/** Strips the IPv4-mapped prefix and the zone of a link-local address, so that one client has one address. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');

/**
 * Returns a function that finds the client behind trusted proxies: X-Forwarded-For is read from the right, and only as
 * long as each sender is on the list. The header of any other sender is ignored.
 */
export const clientAddressFinder = (trusted: readonly string[]) => {
  const list = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string): boolean => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
  return (peer: string, forwardedFor: string | undefined): string => {
    let current = plain(peer);
    const hops = (forwardedFor ?? '').split(',').map((hop) => plain(hop.trim()));
    for (let at = hops.length - 1; at >= 0 && isTrusted(current); at -= 1) {
      const hop = hops[at] ?? '';
      if (!isIP(hop)) break;
      current = hop;
    }
    return current;
  };
};

/** Returns the network with the given prefix length that contains an IPv6 address. */
const ipv6Network = (address: string, bits: number): string => {
  const [head = '', tail = ''] = address.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const full = address.includes('::')
    ? [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
    : left;
  return `${full
    .slice(0, bits / 16)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/${bits}`;
};

/** Returns the unit of anonymous quotas: an IPv4 address, or the /64 of one IPv6 subscriber. */
export const quotaAddress = (address: string): string => (isIP(address) === 6 ? ipv6Network(address, 64) : address);

/** Returns the network of a person or household: an IPv4 address, or an IPv6 /48, which has 65,536 networks of size /64. */
export const siteAddress = (address: string): string => (isIP(address) === 6 ? ipv6Network(address, 48) : address);

/** Returns the range of a provider, of which one person may rent a part: an IPv4 /24, or an IPv6 /32. */
export const providerRange = (address: string): string => {
  if (isIP(address) === 6) return ipv6Network(address, 32);
  return `${address.split('.').slice(0, 3).join('.')}.0/24`;
};
