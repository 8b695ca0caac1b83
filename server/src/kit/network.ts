import { isIP } from 'node:net';

/**
 * The network that rate limits apply to: an IPv4 address, or the first 64 bits of an IPv6 address, because one household or server has all
 * addresses of that prefix. An IPv4-mapped IPv6 address is the same network as its IPv4 address.
 */
export function getNetwork(address: string): string {
  const version = isIP(address);
  if (version === 4) return address;
  if (version !== 6) return 'unknown';
  // The canonical notation: lower case, no leading zeros, no zone.
  const written = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(written);
  if (mapped) {
    const [high = 0, low = 0] = mapped.slice(1).map((part) => Number.parseInt(part, 16));
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const [head = '', tail] = written.split('::').map((part) => part.split(':').filter(Boolean));
  const groups = tail === undefined ? head : [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
  return `${[...groups].slice(0, 4).join(':')}::/64`;
}

/** The subnet of a result of `getNetwork`: the /24 of an IPv4 address, the /64 itself for IPv6. */
export const getSubnet = (network: string): string => (isIP(network) === 4 ? network.replace(/\d+$/, '0/24') : network);

const named = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const longest = { 4: 32, 6: 128 }[isIP(address)];
  if (longest === undefined || more.length > 0) return false;
  // A range of all addresses would let every client forge its address.
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest);
}

/** Whether a text is a comma-separated list of addresses, ranges and Fastify's names of ranges. */
export const isProxyList = (text: string): boolean => text.split(',').every((entry) => named.has(entry.trim()) || isProxy(entry.trim()));
