import { slug } from '../text.ts';

/** Messages: 'Username must be at least 3 characters' and 'Username must be less than 20 characters'. */
export const usernameLength = { min: 3, max: 20 };

/** "hana_t4821": a username reveals no more of the name than is public. A name without two Latin letters gives "neighbour_4821". */
export function suggestUsername(fullName: string, digits: number): string {
  if (fullName.trim() === '') return '';
  const names = slug(fullName).split('-').filter(Boolean);
  const [first = '', ...others] = names;
  if (first.length < usernameLength.min - 1) return `neighbour_${digits}`;
  return `${first.slice(0, 12)}_${others.at(-1)?.charAt(0) ?? ''}${digits}`;
}
