/** Defines which addresses a webhook may reach: the public internet, but nothing in the operator's own network. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Addresses in public ranges that are nevertheless served by the host of a machine (the metadata address of a large cloud).
 */
const HOST_SERVICES = new Set(['168.63.129.16']);
/** The complete global unicast space (RFC 4291); the rest of IPv6 is reserved or unallocated. */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Returns whether an address is public. Rejected are private, loopback, link-local, carrier-grade, multicast, documentation
 * and other special ranges, and addresses that embed another one: IPv4-mapped, NAT64, 6to4, Teredo.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!isIP(address) || address.includes('%') || HOST_SERVICES.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_V6);
};

/** Matches names of this machine or the local network, whatever DNS returns. */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|localdomain)$/i;

/** Removes the brackets of an IPv6 address. */
const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

export interface UrlRule {
  /** For tests: also allows http and private addresses. */
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

/**
 * Returns why nothing may be posted to `text`, or null when it may. The addresses of its name are checked with each delivery.
 */
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
