import { isIP } from 'node:net';

const named = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const longest = { 4: 32, 6: 128 }[isIP(address)];
  if (longest === undefined || more.length > 0) return false;
  // A range of everybody would let everybody say who they are.
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest);
}

/** Whether a text lists proxies: addresses, ranges, and the names that Fastify has for ranges, separated by commas. */
export const isProxyList = (text: string): boolean => text.split(',').every((entry) => named.has(entry.trim()) || isProxy(entry.trim()));
