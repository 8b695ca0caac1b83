import { sql } from 'kysely';
import type { Tx } from './database.ts';

/** PostgreSQL's types of a column and their types in TypeScript. */
type Types = {
  uuid: string;
  text: string;
  date: string;
  smallint: number;
  int: number;
  bigint: number;
  float8: number;
};
type Column = { [Type in keyof Types]: readonly [type: Type, values: readonly (Types[Type] | null)[]] }[keyof Types];

/**
 * Lists of one length as the columns of a table; `place` is the row number, from 1. The statement's text is the same for any number of values, so
 * it can be prepared.
 */
export function unnestTable<Name extends string, Columns extends Record<string, Column>>(name: Name, columns: Columns) {
  const lists = Object.values(columns).map(([type, values]) => sql`${[...values]}::${sql.raw(type)}[]`);
  const names = [...Object.keys(columns), 'place'].map((column) => sql.id(column));
  return sql<{ [Of in keyof Columns]: Columns[Of][1][number] } & { place: string }>`unnest(${sql.join(lists)}) with ordinality`.as<Name>(
    sql`${sql.id(name)}(${sql.join(names)})`,
  );
}

/** A pattern for `like` that matches texts containing this one, with its special characters escaped. */
export const toContainsPattern = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Sets the user whom the audit log names for the rest of the transaction. */
export async function setAuditActor(tx: Tx, userId: string): Promise<void> {
  await sql`select set_config('handwise.actor', ${userId}, true)`.execute(tx);
}

/** For `where(column, '=', anyId(ids))`: one parameter for any number of ids. */
export const anyId = (ids: Iterable<string>) => sql<string>`any(${[...ids]}::uuid[])`;

/** `count(*)` as a number. */
export const rowCount = sql<number>`count(*)::integer`;
