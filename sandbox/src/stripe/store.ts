import { randomBytes } from 'node:crypto';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { missing } from './errors.ts';
import type { Kind, Objects } from './objects.ts';

type ListOptions = {
  /** A field's value, or one of several. */
  where?: Record<string, string | string[] | null>;
  created?: Record<string, number | null>;
  limit: number;
  startingAfter?: string | null;
  endingBefore?: string | null;
};

const schema = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  create table if not exists objects (seq integer primary key, id text not null unique, object text not null, body text not null);
  create index if not exists objects_by_kind on objects (object, seq);
  create index if not exists objects_by_customer on objects (object, json_extract(body, '$.customer'), seq);
  -- Methods that were used without being kept, or taken from their customer: no payment may use them again.
  create table if not exists used_up (method_id text primary key) without rowid;
  -- Cards that the cardholder has authenticated for payments without them.
  create table if not exists set_up (method_id text primary key) without rowid;
  -- What ends by itself some time later.
  create table if not exists due (object_id text primary key, due_at integer not null) without rowid;
  create table if not exists answers (
    key text primary key, request text not null, request_id text not null, status integer not null, body text not null
  ) without rowid;
  -- Only what is still to be delivered. Without a date: given up until the next start.
  create table if not exists deliveries (event_id text primary key, attempts integer not null, due_at integer) without rowid;
`;

const comparisons: Record<string, string> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

export type Store = ReturnType<typeof openStore>;

/**
 * The state in one SQLite file, which a killed process leaves whole: what a call changed, its events and its answer
 * are one transaction. Everything is synchronous, so calls never run into each other.
 */
export function openStore(file: string) {
  const database = new DatabaseSync(file);
  database.exec(schema);
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const rows = <T>(sql: string, ...values: SQLInputValue[]) => statement(sql).all(...values) as T[];
  const run = (sql: string, ...values: SQLInputValue[]) => void statement(sql).run(...values);
  const parse = (row: { body: string }) => JSON.parse(row.body) as unknown;

  return {
    rows,
    run,
    close: () => database.close(),

    transaction<T>(work: () => T): T {
      database.exec('begin immediate');
      try {
        const result = work();
        database.exec('commit');
        return result;
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },

    save(document: Objects[Kind]) {
      run(
        `insert into objects (id, object, body) values (?, ?, ?) on conflict (id) do update set body = excluded.body`,
        document.id,
        document.object,
        JSON.stringify(document),
      );
    },

    remove(id: string) {
      run('delete from objects where id = ?', id);
    },

    /** Something will happen to the object by itself. */
    later(id: string, milliseconds: number) {
      run('insert or replace into due values (?, ?)', id, Date.now() + milliseconds);
    },

    done(id: string) {
      run('delete from due where object_id = ?', id);
    },

    due: (upTo: number) => rows<{ id: string }>('select object_id as id from due where due_at <= ?', upTo).map(({ id }) => id),

    /** Throws the answer 404 where there is none of this kind. */
    find<K extends Kind>(kind: K, id: string, param?: string): Objects[K] {
      const [row] = rows<{ body: string }>('select body from objects where id = ? and object = ?', id, kind);
      if (!row) throw missing(kind === 'payment_method' ? 'PaymentMethod' : kind, id, param);
      return parse(row) as Objects[K];
    },

    /** Newest first. */
    list<K extends Kind>(kind: K, { where = {}, created = {}, limit, startingAfter, endingBefore }: ListOptions) {
      const conditions = ['object = ?', "json_extract(body, '$.deleted') is null"];
      const values: SQLInputValue[] = [kind];
      const add = (sql: string, value: SQLInputValue) => {
        conditions.push(sql);
        values.push(value);
      };
      for (const [field, value] of Object.entries(where)) {
        const asked = Array.isArray(value) ? JSON.stringify(value) : value;
        const test = Array.isArray(value) ? 'in (select value from json_each(?))' : '= ?';
        if (asked !== null) add(`json_extract(body, '$.${field}') ${test}`, asked);
      }
      for (const [name, operator] of Object.entries(comparisons)) {
        const value = created[name];
        if (typeof value === 'number') add(`json_extract(body, '$.created') ${operator} ?`, value);
      }
      if (startingAfter) add('seq < (select seq from objects where id = ?)', startingAfter);
      if (endingBefore) add('seq > (select seq from objects where id = ?)', endingBefore);
      const order = endingBefore ? 'asc' : 'desc';
      const sql = `select body from objects where ${conditions.join(' and ')} order by seq ${order} limit ?`;
      const found = rows<{ body: string }>(sql, ...values, limit + 1);
      const page = found.slice(0, limit).map((row) => parse(row) as Objects[K]);
      return { data: endingBefore ? page.toReversed() : page, has_more: found.length > limit };
    },
  };
}

export const newId = (prefix: string) => `${prefix}_${randomBytes(18).toString('base64url').replaceAll(/[-_]/g, '0')}`;

export const unixNow = () => Math.floor(Date.now() / 1000);
