import { sql } from 'kysely';

/** The types that PostgreSQL reads a column's values as, with what they are here. */
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
 * Lists of one length as a table, each a column; `place` is the number of a row, from 1 on. A statement that takes its values from it reads the same
 * however many there are.
 */
export function listTable<Name extends string, Columns extends Record<string, Column>>(name: Name, columns: Columns) {
  const lists = Object.values(columns).map(([type, values]) => sql`${[...values]}::${sql.raw(type)}[]`);
  const names = [...Object.keys(columns), 'place'].map((column) => sql.id(column));
  return sql<{ [Of in keyof Columns]: Columns[Of][1][number] } & { place: string }>`unnest(${sql.join(lists)}) with ordinality`.as<Name>(
    sql`${sql.id(name)}(${sql.join(names)})`,
  );
}
