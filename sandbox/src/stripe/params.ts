import { invalidRequest, unknownParameters } from './errors.ts';

/** The parameters of a call: `a=1&b[c]=2&d[]=3` is `{ a: '1', b: { c: '2' }, d: { 0: '3' } }`. */
export type Params = { [name: string]: string | Params };

const deepest = 6;

export function parseForm(pairs: Iterable<[string, string]>): Params {
  // Without a prototype, because a parameter may be called __proto__.
  const root = Object.create(null) as Params;
  for (const [path, value] of pairs) {
    const keys = path.match(/^[^[\]]+|\[[^[\]]*\]/g);
    if (!keys || keys.join('') !== path || keys.length > deepest) throw invalidRequest(`Invalid parameter name: ${path.slice(0, 100)}`);
    let target = root;
    for (const [depth, bracketed] of keys.entries()) {
      const name = depth === 0 ? bracketed : bracketed.slice(1, -1) || String(Object.keys(target).length);
      if (depth === keys.length - 1) {
        target[name] = value;
        break;
      }
      const next = (target[name] ??= Object.create(null) as Params);
      if (typeof next === 'string') throw invalidRequest(`Invalid object: ${path.slice(0, 100)}`);
      target = next;
    }
  }
  return root;
}

/** Null if the parameter is missing or empty; an empty one unsets its field. */
export function text(params: Params, name: string): string | null {
  const value = params[name];
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string') throw invalidRequest(`Invalid string: ${name}`, { param: name });
  if (value.length > 5000) throw invalidRequest(`Invalid string: ${name} must be at most 5000 characters`, { param: name });
  return value;
}

export function integer(params: Params, name: string): number | null {
  const value = text(params, name);
  if (value === null) return null;
  if (!/^-?\d{1,12}$/.test(value)) {
    throw invalidRequest(`Invalid integer: ${value.slice(0, 50)}`, { param: name, code: 'parameter_invalid_integer' });
  }
  return Number(value);
}

export function flag(params: Params, name: string): boolean | null {
  const value = parseChoice(params, name, ['true', 'false', '1', '0']);
  return value === null ? null : value === 'true' || value === '1';
}

export function parseChoice<const T extends string>(params: Params, name: string, allowed: readonly T[]): T | null {
  const value = text(params, name);
  if (value === null) return null;
  const found = allowed.find((one) => one === value);
  if (!found) throw invalidRequest(`Invalid ${name}: must be one of ${allowed.join(', ')}`, { param: name });
  return found;
}

export function nested(params: Params, name: string): Params {
  const value = params[name];
  if (value === undefined || value === '') return {};
  if (typeof value === 'string') throw invalidRequest(`Invalid object: ${name}`, { param: name });
  return value;
}

export function list(params: Params, name: string): string[] {
  return Object.values(nested(params, name)).filter((value) => typeof value === 'string');
}

/** An http or https address, because the browser is sent to it later. */
export function webAddress(params: Params, name: string) {
  const value = text(params, name);
  if (value !== null && !(URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) {
    throw invalidRequest('Not a valid URL', { param: name, code: 'url_invalid' });
  }
  return value;
}

export function required<T>(value: T | null, name: string): T {
  if (value === null) throw invalidRequest(`Missing required param: ${name}.`, { param: name, code: 'parameter_missing' });
  return value;
}

// Parameters of several calls, with the provider's limits.

const most = { keys: 50, key: 40, value: 500 };

/** Merges new metadata into the old; an empty value removes its key. */
export function metadata(params: Params, before: Record<string, string> | null = {}): Record<string, string> {
  if (params['metadata'] === '') return {};
  const added = nested(params, 'metadata');
  const entries = Object.keys(added).map((name) => [name, text(added, name)] as const);
  for (const [name, value] of entries) {
    const param = `metadata[${name}]`;
    if (name.length > most.key) {
      const but = `but you passed in a key that is ${name.length} characters. Invalid key: ${name.slice(0, 100)}`;
      throw invalidRequest(`Metadata keys can have up to ${most.key} characters, ${but}`, { param });
    }
    if (value !== null && value.length > most.value) {
      const but = `but you passed in a value that is ${value.length} characters. Invalid value: ${value.slice(0, 100)}`;
      throw invalidRequest(`Metadata values can have up to ${most.value} characters, ${but}`, { param });
    }
  }
  const merged = Object.entries({ ...before, ...Object.fromEntries(entries) });
  const remaining = merged.filter((entry): entry is [string, string] => entry[1] !== null);
  if (remaining.length > most.keys) {
    throw invalidRequest(`You can only have up to ${most.keys} metadata keys, but there would be ${remaining.length}.`, {
      param: 'metadata',
    });
  }
  return Object.fromEntries(remaining);
}

export function parseShortText(params: Params, name: string, longest: number): string | null {
  const value = text(params, name);
  if (value === null || value.length <= longest) return value;
  throw invalidRequest(`Invalid string: ${value.slice(0, 10)}...${value.slice(-4)}; must be at most ${longest} characters`, {
    param: name,
  });
}

export function email(params: Params, name: string): string | null {
  const value = parseShortText(params, name, 512);
  if (value === null || /^[^\s@,;<>()]+@[^\s@,;<>()]+\.[^\s@.,;<>()]{2,}$/.test(value)) return value;
  throw invalidRequest(`Invalid email address: ${value.slice(0, 100)}`, { param: name, code: 'email_invalid' });
}

/** The text on the payer's statement after the account's name. */
export function descriptorSuffix(params: Params): string | null {
  const name = 'statement_descriptor_suffix';
  const value = parseShortText(params, name, 22);
  if (value === null) return null;
  if (/[<>\\'"*]/.test(value)) {
    throw invalidRequest(`The statement descriptor suffix contains invalid characters: none of < > \\ ' " * may be in it.`, {
      param: name,
    });
  }
  if (!/[a-z]/i.test(value)) throw invalidRequest('The statement descriptor suffix must contain at least one letter.', { param: name });
  return value;
}

const addressParts = ['city', 'country', 'line1', 'line2', 'postal_code', 'state'];

export function address(params: Params, name: string) {
  if (params[name] === undefined || params[name] === '') return null;
  const fields = nested(params, name);
  only(fields, addressParts, name);
  const part = (field: string) => text(fields, field);
  const country = part('country');
  if (country !== null && !/^[a-z]{2}$/i.test(country)) {
    const message = `Country '${country.slice(0, 50)}' is unknown. Try using a 2-character alphanumeric country code instead, such as 'US'.`;
    throw invalidRequest(message, { param: `${name}[country]`, code: 'country_code_invalid' });
  }
  return {
    city: part('city'),
    country,
    line1: part('line1'),
    line2: part('line2'),
    postal_code: part('postal_code'),
    state: part('state'),
  };
}

/** Throws if a nested parameter is unknown. */
export function only(fields: Params, allowed: string[], name: string) {
  const unknown = Object.keys(fields).filter((field) => !allowed.includes(field));
  if (unknown.length > 0) throw unknownParameters(unknown.map((field) => `${name}[${field}]`));
}

const supported = new Set(['aud', 'nzd', 'usd']);
/** In cents. */
const smallestAmount = 50;

export function parseCurrency(params: Params) {
  const currency = required(text(params, 'currency'), 'currency').toLowerCase();
  if (supported.has(currency)) return currency;
  const list = [...supported].join(', ');
  throw invalidRequest(`Invalid currency: ${currency.slice(0, 50)}. Stripe currently supports these currencies: ${list}`, {
    param: 'currency',
  });
}

export function parseAmount(params: Params, currency: string) {
  const amount = required(integer(params, 'amount'), 'amount');
  const details = (code: string) => ({ param: 'amount', code });
  if (amount < 1) throw invalidRequest('This value must be greater than or equal to 1.', details('parameter_invalid_integer'));
  if (amount < smallestAmount) throw invalidRequest(`Amount must be at least $0.50 ${currency}`, details('amount_too_small'));
  if (amount > 99_999_999) throw invalidRequest(`Amount must be no more than $999,999.99 ${currency}`, details('amount_too_large'));
  return amount;
}
