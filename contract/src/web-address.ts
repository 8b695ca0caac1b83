import { cleanWebAddress } from './machine-text.ts';
import { machineLine } from './text-fields.ts';
import { parseUrl } from './urls.ts';

// Top-level names of private networks, or that never resolve.
const privateNames = new Set([
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'arpa',
  'invalid',
  'test',
  'onion',
]);

const webAddressProblems = {
  format: 'Invalid URL format',
  credentials: 'Use an address without a username or password',
  port: 'Use an address without a port',
  host: 'Use the address of a website that everybody can reach',
} as const;

/** The problem of a website's address with its scheme; undefined if it is valid. */
function webAddressProblem(text: string): string | undefined {
  if (!/^https?:\/\/[^\s\\/]/i.test(text) || /[\s\\]/.test(text) || parseUrl(text) === null) return webAddressProblems.format;
  const { hostname, username, password, port } = new URL(text);
  const afterScheme = text.replace(/^https?:\/\//i, '').replace(/[/?#].*/s, '');
  if (username || password || afterScheme.includes('@')) return webAddressProblems.credentials;
  if (port !== '') return webAddressProblems.port;
  // The URL parser turns every notation of an IPv4 address into four numbers, and IPv6 addresses are in brackets; neither passes below.
  const labels = hostname.replace(/\.$/, '').split('.');
  const last = labels.at(-1) ?? '';
  if (labels.includes('')) return webAddressProblems.format;
  if (labels.length < 2 || !/^[a-z]/.test(last) || privateNames.has(last)) return webAddressProblems.host;
  return undefined;
}

/** A website's address, or empty. One without a scheme is stored with https://. */
export const webAddress = machineLine(undefined, cleanWebAddress)
  .max(300, webAddressProblems.format)
  .transform((text) => (text === '' || /^[a-z][\w+.-]*:(?!\d+(?:\/|$))/i.test(text) ? text : `https://${text}`))
  .superRefine((text, context) => {
    const problem = text === '' ? undefined : webAddressProblem(text);
    if (problem) context.addIssue(problem);
  });
