import { line } from './text-fields.ts';

// Names that lead to a machine of the reader's own network, or nowhere.
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

/** What is wrong with an address of a website, given with its scheme; undefined where nothing is. */
function webAddressProblem(text: string): string | undefined {
  if (!/^https?:\/\/[^\s\\/]/i.test(text) || /[\s\\]/.test(text) || !URL.canParse(text)) return webAddressProblems.format;
  const { hostname, username, password, port } = new URL(text);
  const afterScheme = text.replace(/^https?:\/\//i, '').replace(/[/?#].*$/s, '');
  if (username || password || afterScheme.includes('@')) return webAddressProblems.credentials;
  if (port !== '') return webAddressProblems.port;
  // A host of digits, whatever their notation, is parsed into four numbers; one in brackets is of IPv6.
  const labels = hostname.replace(/\.$/, '').split('.');
  const last = labels.at(-1) ?? '';
  if (labels.includes('')) return webAddressProblems.format;
  if (labels.length < 2 || !/^[a-z]/.test(last) || privateNames.has(last)) return webAddressProblems.host;
  return undefined;
}

/** An address on the web, with or without https://; stored with it. Empty where there is none. */
export const webAddress = line()
  .max(300, webAddressProblems.format)
  .transform((text) => (text === '' || /^[a-z][\w+.-]*:(?!\d+(?:\/|$))/i.test(text) ? text : `https://${text}`))
  .superRefine((text, context) => {
    const problem = text === '' ? undefined : webAddressProblem(text);
    if (problem) context.addIssue(problem);
  });
