import { randomBytes } from 'node:crypto';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { notFound, missingParam } from './errors.ts';
import type { Kind, Objects } from './objects.ts';

/** Account and mode of an object, which is invisible to keys of another account or mode. */
export type Scope = { account: string; livemode: boolean };

type ListOptions = {
  where?: Record<string, string | null>;
  created?: Record<string, number | null>;
  limit: number;
  startingAfter?: string | null;
};

const schema = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  create table if not exists objects (
    seq integer primary key, id text not null unique, object text not null, body text not null, account text not null, livemode integer not null
  );
  create index if not exists objects_by_kind on objects (object, seq);
  create index if not exists objects_by_customer on objects (object, json_extract(body, '$.customer'), seq);
  -- Methods that were used without being saved, or were detached: no payment may use them again.
  create table if not exists used_up (method_id text primary key) without rowid;
  -- Cards that were authenticated for off-session payments.
  create table if not exists set_up (method_id text primary key) without rowid;
  -- The method of a confirmation token, whose id is secret until the token is used.
  create table if not exists behind_tokens (token_id text primary key, method_id text not null) without rowid;
  -- Objects that are settled later.
  create table if not exists due (object_id text primary key, due_at integer not null) without rowid;
  create table if not exists answers (
    account text not null, livemode integer not null, key text not null, request text not null, request_id text not null,
    status integer not null, body text not null, created_at integer not null, primary key (account, livemode, key)
  ) without rowid;
  -- Pending deliveries. Without a date: suspended until the next start.
  create table if not exists deliveries (event_id text primary key, attempts integer not null, due_at integer) without rowid;
`;

const comparisons: Record<string, string> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

export type Database = ReturnType<typeof openStore>;
export type Store = ReturnType<Database['at']>;

/** The state in one SQLite file. A call's changes, events and answer are one transaction. Everything is synchronous, so calls never interleave. */
export function openStore(file: string) {
  const database = new DatabaseSync(file);
  database.exec(schema);
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const statement = (sql: string) => {
    const cached = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, cached);
    return cached;
  };
  const rows = <T>(sql: string, ...values: SQLInputValue[]) => statement(sql).all(...values) as T[];
  const run = (sql: string, ...values: SQLInputValue[]) => void statement(sql).run(...values);
  const parse = (row: { body: string }) => JSON.parse(row.body) as unknown;

  function within<T>(begin: string, end: string, rollback: string, work: () => T): T {
    database.exec(begin);
    try {
      const result = work();
      database.exec(end);
      return result;
    } catch (error) {
      database.exec(rollback);
      throw error;
    }
  }

  /** The objects of one account and mode. */
  function at({ account, livemode }: Scope) {
    const own = [account, Number(livemode)];

    function row(kind: Kind, id: string) {
      const sql = 'select body, livemode from objects where id = ? and object = ? and account = ?';
      return rows<{ body: string; livemode: number }>(sql, id, kind, account)[0];
    }

    function read<K extends Kind>(kind: K, id: string, errorOf: (what: string) => Error): Objects[K] {
      const found = row(kind, id);
      if (found && Boolean(found.livemode) === livemode) return parse(found) as Objects[K];
      const [mine, other] = livemode ? ['live', 'test'] : ['test', 'live'];
      const hint = found ? `; a similar object exists in ${other} mode, but a ${mine} mode key was used to make this request.` : '';
      throw errorOf(`${names[kind] ?? kind}: '${id}'${hint}`);
    }

    return {
      scope: { account, livemode },
      rows,
      run,

      /** The first save decides account and mode. */
      save(document: Objects[Kind]) {
        if ('livemode' in document) Object.assign(document, { livemode });
        run(
          `insert into objects (id, object, body, account, livemode) values (?, ?, ?, ?, ?)
           on conflict (id) do update set body = excluded.body`,
          document.id,
          document.object,
          JSON.stringify(document),
          ...own,
        );
      },

      remove(id: string) {
        run('delete from objects where id = ?', id);
      },

      /** Schedules the object to be settled. */
      schedule(id: string, milliseconds: number) {
        run('insert or replace into due values (?, ?)', id, Date.now() + milliseconds);
      },

      unschedule(id: string) {
        run('delete from due where object_id = ?', id);
      },

      due(upTo: number) {
        const sql = `select object_id as id from due join objects on id = object_id where due_at <= ? and account = ? and livemode = ?`;
        return rows<{ id: string }>(sql, upTo, ...own).map(({ id }) => id);
      },

      /** The object that the path names; throws a 404 if there is none of this kind. */
      find: <K extends Kind>(kind: K, id: string, param = addressed[kind] ?? 'id') => read(kind, id, (what) => notFound(what, param)),

      /** The object that a parameter names; throws a 400 if there is none of this kind. */
      findParam: <K extends Kind>(kind: K, id: string, param: string) => read(kind, id, (what) => missingParam(what, param)),

      any(id: string): unknown {
        const [found] = rows<{ body: string }>('select body from objects where id = ? and account = ? and livemode = ?', id, ...own);
        return found ? parse(found) : null;
      },

      /** Newest first. Throws a 400 if `startingAfter` is unknown. */
      list<K extends Kind>(kind: K, { where = {}, created = {}, limit, startingAfter }: ListOptions) {
        const conditions = ['object = ?', 'account = ?', 'livemode = ?', "json_extract(body, '$.deleted') is null"];
        const values: SQLInputValue[] = [kind, ...own];
        const add = (sql: string, value: SQLInputValue) => {
          conditions.push(sql);
          values.push(value);
        };
        for (const [field, value] of Object.entries(where)) {
          if (value !== null) add(`json_extract(body, '$.${field}') = ?`, value);
        }
        for (const [name, operator] of Object.entries(comparisons)) {
          const value = created[name];
          if (typeof value === 'number') add(`json_extract(body, '$.created') ${operator} ?`, value);
        }
        if (startingAfter) {
          read(kind, startingAfter, (what) => missingParam(what, 'starting_after'));
          add('seq < (select seq from objects where id = ?)', startingAfter);
        }
        const sql = `select body from objects where ${conditions.join(' and ')} order by seq desc limit ?`;
        const found = rows<{ body: string }>(sql, ...values, limit + 1);
        return { data: found.slice(0, limit).map((one) => parse(one) as Objects[K]), has_more: found.length > limit };
      },
    };
  }

  const asScope = (found: { account: string; livemode: number }): Scope => ({ account: found.account, livemode: found.livemode === 1 });

  return {
    rows,
    run,
    at,
    close: () => database.close(),
    transaction: <T>(work: () => T) => within('begin immediate', 'commit', 'rollback', work),

    /** A savepoint within a transaction: rolls back `work` alone if it throws. */
    savepoint: <T>(work: () => T) => within('savepoint call', 'release call', 'rollback to call; release call', work),

    scopeOf: (id: string) =>
      rows<{ account: string; livemode: number }>('select account, livemode from objects where id = ?', id).map(asScope)[0],

    /** The scopes with objects to be settled. */
    dueScopes: (upTo: number) =>
      rows<{ account: string; livemode: number }>(
        'select distinct account, livemode from due join objects on id = object_id where due_at <= ?',
        upTo,
      ).map(asScope),
  };
}

/** Names of kinds in messages, if they differ from the kind. */
const names: Partial<Record<Kind, string>> = {
  payment_method: 'PaymentMethod',
  confirmation_token: 'ConfirmationToken',
  setup_intent: 'setupintent',
};

/** Parameter names of a path's id in messages, if they are not `id`. */
const addressed: Partial<Record<Kind, string>> = { payment_intent: 'intent', setup_intent: 'intent', payment_method: 'payment_method' };

export const newId = (prefix: string) => `${prefix}_${randomBytes(18).toString('base64url').replaceAll(/[-_]/g, '0')}`;

export const unixNow = () => Math.floor(Date.now() / 1000);
