/** Which addresses a webhook may reach: the public internet, and nothing of the operator's own network. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public by its number, yet answered by the host that a machine runs on (the metadata address of a large cloud). */
const HOST_SERVICES = new Set(['168.63.129.16']);
/** All of the global unicast space there is (RFC 4291); the rest of IPv6 is special or not given out. */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Whether an address is public. Refused are private, loopback, link-local, carrier-grade, multicast, documentation and
 * other special ranges, and addresses that hold another one inside: IPv4-mapped, NAT64, 6to4, Teredo.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!isIP(address) || address.includes('%') || HOST_SERVICES.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_V6);
};

/** Names that mean this machine or this network, whatever a name server says. */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|localdomain)$/i;

/** An IPv6 address stands in brackets. */
const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

export interface UrlRule {
  /** For tests: http and private addresses too. */
  readonly allowPrivate: boolean;
}

const LOWEST_OWN_PORT = 1_024;
const isGoodPort = (port: string): boolean => port === '' || port === '443' || Number(port) >= LOWEST_OWN_PORT;

const hostProblem = (hostname: string): string | null => {
  const host = withoutBrackets(hostname).replace(/\.$/, '');
  if (isIP(host)) return isPublicAddress(host) ? null : 'The address must not lie in a private or special network';
  if (LOCAL_NAMES.test(host) || !host.includes('.')) return 'The host must be a full public name';
  return null;
};

/** Why nothing is ever posted to `text`; null when it may be. What its name leads to is looked at with each delivery. */
export const urlProblem = (text: string, { allowPrivate }: UrlRule): string | null => {
  if (!URL.canParse(text)) return 'Value is not a valid URL';
  const { protocol, hostname, username, password, port, hash } = new URL(text);
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) return 'The URL must begin with https://';
  if (username || password) return 'The URL must not hold a user name or password';
  if (hash) return 'The URL must not have a fragment';
  if (allowPrivate) return null;
  if (!isGoodPort(port)) return `The port must be 443, or ${LOWEST_OWN_PORT} or higher`;
  return hostProblem(hostname);
};
