import { invalid } from '../calls/errors.ts';
import type { Statement, World } from '../world.ts';

export const ownStatement: Statement = { prefix: 'SANDBOX', descriptor: 'SANDBOX' };

const longestPrefix = 10;
const longest = 22;

/** What stands before a suffix: without a prefix of its own the beginning of the descriptor. */
const prefixOf = ({ prefix, descriptor }: Statement) => prefix ?? descriptor?.slice(0, longestPrefix) ?? null;

export function refuseSuffixAlone({ trouble }: World, suffix: string | null): void {
  if (suffix === null || prefixOf(trouble.statement) !== null) return;
  const message =
    'A statement descriptor suffix needs a statement descriptor or a prefix of it in the settings of the account, which has neither.';
  throw invalid(message, { param: 'statement_descriptor_suffix' });
}

/** What the payer's bank writes for a charge. */
export const statementOf = ({ trouble: { statement } }: World, suffix: string | null) =>
  suffix === null ? (statement.descriptor ?? statement.prefix) : `${prefixOf(statement) ?? ''}* ${suffix}`.slice(0, longest);
