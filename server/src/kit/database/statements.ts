import { isDeepStrictEqual } from 'node:util';
import type { Compilable, CompiledQuery } from 'kysely';
import type { Reader } from './database.ts';

const known = new Map<string, CompiledQuery>();

/**
 * Runs a statement that differs from others of its form in its values only: putting it together takes longer than sending it, so
 * that is done once for each form. `form` names all that decides how the statement reads, `values` are its parameters in their order.
 * Throws an Error where they are not what `build` made of them.
 */
export async function runForm<Row>(
  db: Reader,
  form: string,
  values: readonly unknown[],
  build: (db: Reader) => Compilable<Row>,
): Promise<Row[]> {
  let statement = known.get(form);
  if (!statement) {
    statement = build(db).compile();
    if (!isDeepStrictEqual(statement.parameters, values)) throw new Error(`the values of ${form} are not those of its statement`);
    known.set(form, statement);
  }
  const { rows } = await db.executeQuery<Row>({ ...(statement as CompiledQuery<Row>), parameters: values });
  return rows;
}
