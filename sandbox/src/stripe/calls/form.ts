import { invalid } from './errors.ts';

/** The parameters of a call: `a=1&b[c]=2&d[]=3` is `{ a: '1', b: { c: '2' }, d: { 0: '3' } }`. */
export type Params = { [name: string]: string | Params };

const deepest = 6;

export function parseForm(pairs: Iterable<[string, string]>): Params {
  // Without a prototype: a parameter may be called __proto__.
  const root = Object.create(null) as Params;
  for (const [path, value] of pairs) {
    const keys = path.match(/^[^[\]]+|\[[^[\]]*\]/g);
    if (!keys || keys.join('') !== path || keys.length > deepest) throw invalid(`Invalid parameter name: ${path.slice(0, 100)}`);
    let target = root;
    for (const [depth, bracketed] of keys.entries()) {
      const name = depth === 0 ? bracketed : bracketed.slice(1, -1) || String(Object.keys(target).length);
      if (depth === keys.length - 1) {
        target[name] = value;
        break;
      }
      const next = (target[name] ??= Object.create(null) as Params);
      if (typeof next === 'string') throw invalid(`Invalid object: ${path.slice(0, 100)}`);
      target = next;
    }
  }
  return root;
}

/** Null where the parameter is not there, and where it is empty, which asks to unset it. */
export function text(params: Params, name: string): string | null {
  const value = params[name];
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string') throw invalid(`Invalid string: ${name}`, { param: name });
  if (value.length > 5000) throw invalid(`Invalid string: ${name} must be at most 5000 characters`, { param: name });
  return value;
}

export function integer(params: Params, name: string): number | null {
  const value = text(params, name);
  if (value === null) return null;
  if (!/^-?\d{1,12}$/.test(value)) {
    throw invalid(`Invalid integer: ${value.slice(0, 50)}`, { param: name, code: 'parameter_invalid_integer' });
  }
  return Number(value);
}

export function flag(params: Params, name: string): boolean | null {
  const value = oneOf(params, name, ['true', 'false', '1', '0']);
  return value === null ? null : value === 'true' || value === '1';
}

export function oneOf<const T extends string>(params: Params, name: string, allowed: readonly T[]): T | null {
  const value = text(params, name);
  if (value === null) return null;
  const found = allowed.find((one) => one === value);
  if (!found) throw invalid(`Invalid ${name}: must be one of ${allowed.join(', ')}`, { param: name });
  return found;
}

export function nested(params: Params, name: string): Params {
  const value = params[name];
  if (value === undefined || value === '') return {};
  if (typeof value === 'string') throw invalid(`Invalid object: ${name}`, { param: name });
  return value;
}

export function list(params: Params, name: string): string[] {
  return Object.values(nested(params, name)).filter((value) => typeof value === 'string');
}

/** A page that the browser is sent to later: never another scheme than the web's. */
export function webAddress(params: Params, name: string) {
  const value = text(params, name);
  if (value !== null && !(URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) {
    throw invalid('Not a valid URL', { param: name, code: 'url_invalid' });
  }
  return value;
}

export function required<T>(value: T | null, name: string): T {
  if (value === null) throw invalid(`Missing required param: ${name}.`, { param: name, code: 'parameter_missing' });
  return value;
}
