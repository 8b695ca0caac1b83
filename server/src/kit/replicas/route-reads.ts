import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { DB } from '../database/database.generated.ts';
import type { Db } from '../database/database.ts';

/** Chooses the database for a statement: `query` runs it there. */
type Route = (query: (db: Db) => Promise<QueryResult<unknown>>) => Promise<QueryResult<unknown>>;

const noTransaction = () => Promise.reject(new Error('a read from a replica must be a single statement'));

/** A database that routes each statement to another one. It has no transactions. */
export function routeReads(primary: Db, route: Route): Db {
  const connection: DatabaseConnection = {
    executeQuery: <Row>(query: CompiledQuery) => route((db) => db.executeQuery(query)) as Promise<QueryResult<Row>>,
    streamQuery: () => {
      throw new Error('a read from a replica cannot be streamed');
    },
  };
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: noTransaction,
    commitTransaction: noTransaction,
    rollbackTransaction: noTransaction,
    releaseConnection: () => Promise.resolve(),
    // The connections belong to the databases behind it.
    destroy: () => Promise.resolve(),
  };
  return new Kysely<DB>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: () => new PostgresIntrospector(primary),
    },
  });
}
