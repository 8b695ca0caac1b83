import { paths } from '@handwise/contract/paths';

/** Where a filled form leads: empty fields are left out. */
export function searchAddress(fields: Iterable<[string, FormDataEntryValue]>): string {
  const given = [...fields].flatMap(([name, value]) => (typeof value === 'string' && value.trim() ? [[name, value.trim()]] : []));
  const text = new URLSearchParams(given).toString();
  return text ? `${paths.search}?${text}` : paths.search;
}
