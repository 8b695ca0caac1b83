import { invalid, unknownParameters } from './errors.ts';
import { nested, type Params, text } from './form.ts';

// What several calls take, within the limits that the provider has for it.

const most = { keys: 50, key: 40, value: 500 };

/** New metadata over what is there already; an empty value removes its name. */
export function metadata(params: Params, before: Record<string, string> | null = {}): Record<string, string> {
  if (params['metadata'] === '') return {};
  const given = nested(params, 'metadata');
  const entries = Object.keys(given).map((name) => [name, text(given, name)] as const);
  for (const [name, value] of entries) {
    const param = `metadata[${name}]`;
    if (name.length > most.key) {
      const but = `but you passed in a key that is ${name.length} characters. Invalid key: ${name.slice(0, 100)}`;
      throw invalid(`Metadata keys can have up to ${most.key} characters, ${but}`, { param });
    }
    if (value !== null && value.length > most.value) {
      const but = `but you passed in a value that is ${value.length} characters. Invalid value: ${value.slice(0, 100)}`;
      throw invalid(`Metadata values can have up to ${most.value} characters, ${but}`, { param });
    }
  }
  const merged = Object.entries({ ...before, ...Object.fromEntries(entries) });
  const kept = merged.filter((entry): entry is [string, string] => entry[1] !== null);
  if (kept.length > most.keys) {
    throw invalid(`You can only have up to ${most.keys} metadata keys, but there would be ${kept.length}.`, { param: 'metadata' });
  }
  return Object.fromEntries(kept);
}

/** A text of at most so many characters. */
export function shortText(params: Params, name: string, longest: number): string | null {
  const value = text(params, name);
  if (value === null || value.length <= longest) return value;
  throw invalid(`Invalid string: ${value.slice(0, 10)}...${value.slice(-4)}; must be at most ${longest} characters`, { param: name });
}

export function email(params: Params, name: string): string | null {
  const value = shortText(params, name, 512);
  if (value === null || /^[^\s@,;<>()]+@[^\s@,;<>()]+\.[^\s@.,;<>()]{2,}$/.test(value)) return value;
  throw invalid(`Invalid email address: ${value.slice(0, 100)}`, { param: name, code: 'email_invalid' });
}

/** What stands on the payer's statement after the account's own name. */
export function descriptorSuffix(params: Params): string | null {
  const name = 'statement_descriptor_suffix';
  const value = shortText(params, name, 22);
  if (value === null) return null;
  if (/[<>\\'"*]/.test(value)) {
    throw invalid(`The statement descriptor suffix contains invalid characters: none of < > \\ ' " * may be in it.`, { param: name });
  }
  if (!/[a-z]/i.test(value)) throw invalid('The statement descriptor suffix must contain at least one letter.', { param: name });
  return value;
}

const addressParts = ['city', 'country', 'line1', 'line2', 'postal_code', 'state'];

export function address(params: Params, name: string) {
  if (params[name] === undefined || params[name] === '') return null;
  const given = nested(params, name);
  only(given, addressParts, name);
  const part = (field: string) => text(given, field);
  const country = part('country');
  if (country !== null && !/^[a-z]{2}$/i.test(country)) {
    const message = `Country '${country.slice(0, 50)}' is unknown. Try using a 2-character alphanumeric country code instead, such as 'US'.`;
    throw invalid(message, { param: `${name}[country]`, code: 'country_code_invalid' });
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

/** Throws where a parameter within another is not one of these. */
export function only(given: Params, allowed: string[], name: string) {
  const unknown = Object.keys(given).filter((field) => !allowed.includes(field));
  if (unknown.length > 0) throw unknownParameters(unknown.map((field) => `${name}[${field}]`));
}
