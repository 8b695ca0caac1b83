import { isIP } from 'node:net';

/**
 * The network that limits by address count for: the address itself, and of IPv6 the first 64 bits, because one household or
 * server has all addresses that begin with them. An IPv4 address in the notation of IPv6 is the same network as without.
 */
export function networkOf(address: string): string {
  const version = isIP(address);
  if (version === 4) return address;
  if (version !== 6) return 'unknown';
  // Written the one way that the standard knows: lower case, no leading zeros, without a zone.
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

/** The neighbourhood that a network as `networkOf` names it belongs to: the /24 of an IPv4 address, of IPv6 the /64 itself. */
export const subnetOf = (network: string): string => (isIP(network) === 4 ? network.replace(/\d+$/, '0/24') : network);
