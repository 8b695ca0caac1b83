import type { FastifyRequest } from 'fastify';
import { deviceHeader } from '@handwise/contract/call';
import { getNetwork } from './network.ts';

/** The client of a request. `device` is the token that the browser got at an earlier sign-in. */
export type Caller = { network: string; device: string | undefined; browser: string };

export function getCaller({ ip, raw, headers }: FastifyRequest): Caller {
  const device = headers[deviceHeader];
  return {
    network: getNetwork(ip),
    device: typeof device === 'string' && /^[\w-]{43}$/.test(device) ? device : undefined,
    browser: detectBrowser(raw.headers['user-agent']),
  };
}

// The first that fits: most browsers also name the one that they descend from.
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** A display name for a User-Agent header, such as "Chrome on Windows". No text of the header is passed on. */
export function detectBrowser(userAgent: string | undefined): string {
  const findName = (names: readonly [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [findName(browsers), findName(systems)];
  if (!browser && !system) return 'An unknown device';
  return system ? `${browser ?? 'A browser'} on ${system}` : (browser ?? '');
}
