import type { z } from 'zod';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const kinds: Partial<Record<string, string>> = {
  string: 'Use text here',
  number: 'Use a number here',
  int: 'Use a whole number here',
  boolean: 'Use true or false here',
  array: 'Use a list here',
  object: 'Send the fields as a JSON object',
};

const units: Partial<Record<string, [one: string, many: string]>> = { string: ['character', 'characters'], array: ['entry', 'entries'] };
function amount(origin: string, limit: number | bigint): string {
  const unit = units[origin]?.[limit === 1 ? 0 : 1];
  return unit === undefined ? String(limit) : `${limit} ${unit}`;
}

/**
 * The message of an invalid input whose schema has none of its own. It replaces the messages of zod on the server and in forms.
 */
export const inputMessage = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This field is required' : (kinds[issue.expected] ?? 'This value cannot be used here');
    case 'too_big':
      return `Use at most ${amount(issue.origin, issue.maximum)}`;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'This field is required'
        : `Use at least ${amount(issue.origin, issue.minimum)}`;
    case 'invalid_value':
      return `Use ${issue.values.map(String).join(' or ')}`;
    case 'unrecognized_keys':
      return 'There is no such field';
    case 'invalid_format':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'custom':
      return 'This value cannot be used here';
  }
};
