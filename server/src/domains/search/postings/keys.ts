/**
 * What postings are kept for, as one number: the space in its upper four bits, then a code or the number of a form. Words stand in the space of
 * the worthiest field that has them, facets by their kind.
 */
const spaceBits = 28;
const kinds = ['country', 'region', 'district', 'main', 'category', 'sub', 'serves'] as const;
export type FacetKind = (typeof kinds)[number];

// Codes are numbers; of those that are words the first two letters tell them apart: "NZ", "AU", "domestic", "trade", "other".
const codeOf = (code: number | string): number => (typeof code === 'number' ? code : (code.charCodeAt(0) << 8) | code.charCodeAt(1));

export const facetKey = (kind: FacetKind, code: number | string): number => kinds.indexOf(kind) * 65_536 + codeOf(code);

/** Fields are numbered from 1: title, business name, services. */
export const formKey = (form: number, field: number): number => field * 2 ** spaceBits + form;
export const formOfKey = (key: number): number => key & (2 ** spaceBits - 1);

/** The facet that a token of the search column names ("region:2"), null for one that is not asked for. */
export function keyOfFacetToken(token: string): number | null {
  const at = token.indexOf(':');
  const kind = kinds.find((one) => one === token.slice(0, at));
  if (!kind) return null;
  const code = token.slice(at + 1);
  if (code === 'none') return null;
  return facetKey(kind, /^\d+$/.test(code) ? Number(code) : code);
}
