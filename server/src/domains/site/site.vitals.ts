import { paths } from '@handwise/contract/paths';
import type { VitalName } from '@handwise/contract/site/vitals';

export type RecordVital = (vital: { name: VitalName; value: number }, view: { page: string; screen: 'phone' | 'wide' }) => void;

const firstPart = (path: string) => path.split('/', 2).join('/') || '/';
const kinds = new Set(
  Object.values(paths).map((path: string | ((...parts: string[]) => string)) =>
    firstPart(typeof path === 'string' ? path : path('x', 'x')),
  ),
);

/** The first part of a path of the site, such as "/listing", because every path would be a series of its own. */
export function toKindOfPage(path: string): string {
  const first = firstPart(path);
  return kinds.has(first) ? first : 'other';
}

/** In CSS pixels. The layout of phones ends there, too. */
const widest = 599;
export const toScreen = (width: number): 'phone' | 'wide' => (width > widest ? 'wide' : 'phone');
