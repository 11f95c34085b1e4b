import { BlockList, isIP } from 'node:net';

/** Strips the IPv4-mapped prefix and the zone of a link-local address, so that one client has one address. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');

/**
 * Finds the client behind trusted proxies: X-Forwarded-For is read from the right and only as far as each sender is on
 * the list. A header from anyone else does not count.
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

/** The network of so many bits that an IPv6 address lies in. */
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

/** The unit that anonymous quotas count: an IPv4 address, or the /64 that one IPv6 subscriber gets. */
export const quotaAddress = (address: string): string => (isIP(address) === 6 ? ipv6Network(address, 64) : address);

/** What one person or household may have: an IPv4 address, or an IPv6 /48 with 65,536 networks of the size above. */
export const siteAddress = (address: string): string => (isIP(address) === 6 ? ipv6Network(address, 48) : address);

/** What one provider hands out, and one person may rent a part of: an IPv4 /24, or an IPv6 /32. */
export const providerRange = (address: string): string => {
  if (isIP(address) === 6) return ipv6Network(address, 32);
  return `${address.split('.').slice(0, 3).join('.')}.0/24`;
};
