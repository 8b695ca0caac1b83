import { isIP, isIPv4 } from 'node:net';

/** The eight 16-bit groups of an IPv6 address, or of an IPv4 address as an IPv4-mapped one. */
function parseGroups(address: string): number[] | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  // The canonical notation: lower case, no leading zeros, no zone.
  const written = new URL(`http://[${version === 4 ? `::ffff:${address}` : address.replace(/%.*/s, '')}]`).hostname.slice(1, -1);
  const [head = [], tail] = written.split('::').map((part) => part.split(':').filter(Boolean));
  const missing = Array.from({ length: tail ? 8 - head.length - tail.length : 0 }, () => '0');
  return [...head, ...missing, ...(tail ?? [])].map((group) => Number.parseInt(group, 16));
}

/**
 * The network that rate limits apply to: an IPv4 address, or the first 64 bits of an IPv6 address, because one household or server has all
 * addresses of that prefix. An IPv4-mapped IPv6 address is the same network as its IPv4 address.
 */
export function getNetwork(address: string): string {
  // Asked for every request, and nearly always of such an address.
  if (isIPv4(address)) return address;
  const groups = parseGroups(address);
  if (!groups) return 'unknown';
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 6).join() === '0,0,0,0,0,65535') return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${formatGroups(groups.slice(0, 4))}::/64`;
}

const formatGroups = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':');

/** The /48 that a result of `getNetwork` is in, which providers give to one customer; undefined for IPv4. */
export const findSite = (network: string): string | undefined =>
  network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : undefined;

/** The subnet of a result of `getNetwork`: the /24 of an IPv4 address, the /64 itself for IPv6. */
export const getSubnet = (network: string): string => (isIP(network) === 4 ? network.replace(/\d{1,3}$/, '0/24') : network);

// As proxy-addr defines them.
const named = new Set(['loopback', 'linklocal', 'uniquelocal']);

type Range = { from: bigint; to: bigint };
const toRange = (first: bigint, bits: number): Range => {
  const size = 1n << BigInt(128 - bits);
  const from = (first / size) * size;
  return { from, to: from + size };
};

/** The addresses that an entry of `TRUST_PROXY` covers, IPv4 as IPv4-mapped; undefined if it is neither an address nor a range. */
function parseRange(text: string): Range | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const groups = parseGroups(address);
  const longest = isIP(address) === 4 ? 32 : 128;
  if (!groups || more.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= longest))) return undefined;
  const first = groups.reduce((all, group) => (all << 16n) | BigInt(group), 0n);
  return toRange(first, 128 - longest + Number(bits ?? longest));
}

const listEntries = (text: string) => text.split(',').map((entry) => entry.trim());

/** Whether a text is a comma-separated list of addresses, ranges and Fastify's names of ranges. */
export const isProxyList = (text: string): boolean => listEntries(text).every((entry) => named.has(entry) || parseRange(entry));

/** The same without names. */
export const isAddressList = (text: string): boolean => listEntries(text).every((entry) => parseRange(entry));

// Where visitors come from: IPv4, and the part of IPv6 in use.
const visitors = [toRange(0xffffn << 32n, 96), toRange(0x2000n << 112n, 3)];

/** Whether a list of proxies covers more than half of the IPv4 or IPv6 addresses, so that nearly every visitor could forge theirs. */
export function coversMostAddresses(text: string): boolean {
  const ranges = listEntries(text).flatMap((entry) => parseRange(entry) ?? []);
  return visitors.some(({ from, to }) => {
    let covered = 0n;
    let at = from;
    for (const range of ranges.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
      const start = range.from > at ? range.from : at;
      const end = range.to < to ? range.to : to;
      if (end <= start) continue;
      covered += end - start;
      at = end;
    }
    return covered * 2n > to - from;
  });
}
