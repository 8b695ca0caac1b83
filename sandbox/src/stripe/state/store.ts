import { randomBytes } from 'node:crypto';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { missing, missingNamed } from '../calls/errors.ts';
import type { Kind, Objects } from './objects.ts';

/** Whose keys made an object, and in which mode: keys of another account or mode find nothing of it. */
export type Scope = { account: string; livemode: boolean };

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
  create table if not exists objects (
    seq integer primary key, id text not null unique, object text not null, body text not null, account text not null, livemode integer not null
  );
  create index if not exists objects_by_kind on objects (object, seq);
  create index if not exists objects_by_customer on objects (object, json_extract(body, '$.customer'), seq);
  -- Methods that were used without being kept, or taken from their customer: no payment may use them again.
  create table if not exists used_up (method_id text primary key) without rowid;
  -- Cards that the cardholder has authenticated for payments without them.
  create table if not exists set_up (method_id text primary key) without rowid;
  -- The method behind a confirmation token: nobody learns its id before the token is used.
  create table if not exists behind_tokens (token_id text primary key, method_id text not null) without rowid;
  -- What ends by itself some time later.
  create table if not exists due (object_id text primary key, due_at integer not null) without rowid;
  create table if not exists answers (
    account text not null, livemode integer not null, key text not null, request text not null, request_id text not null,
    status integer not null, body text not null, created_at integer not null, primary key (account, livemode, key)
  ) without rowid;
  -- Only what is still to be delivered. Without a date: given up until the next start.
  create table if not exists deliveries (event_id text primary key, attempts integer not null, due_at integer) without rowid;
  pragma user_version = 1;
`;

/** A file from before objects had an account: they were the first one's. Answers kept then are forgotten, as after a day. */
const oldSchema = `
  alter table objects add column account text not null default 'acct_sandbox';
  alter table objects add column livemode integer not null default 0;
  drop table answers;
`;

const comparisons: Record<string, string> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

export type Database = ReturnType<typeof openStore>;
export type Store = ReturnType<Database['at']>;

/**
 * The state in one SQLite file, which a killed process leaves whole: what a call changed, its events and its answer
 * are one transaction. Everything is synchronous, so calls never run into each other.
 */
export function openStore(file: string) {
  const database = new DatabaseSync(file);
  const isOld = database.prepare("select 1 from sqlite_schema where name = 'objects'").get() && versionOf(database) === 0;
  if (isOld) database.exec(oldSchema);
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

  function within<T>(begin: string, end: string, undo: string, work: () => T): T {
    database.exec(begin);
    try {
      const result = work();
      database.exec(end);
      return result;
    } catch (error) {
      database.exec(undo);
      throw error;
    }
  }

  /** What the keys of one account and mode see. */
  function at({ account, livemode }: Scope) {
    const own = [account, Number(livemode)];

    function row(kind: Kind, id: string) {
      const sql = 'select body, livemode from objects where id = ? and object = ? and account = ?';
      return rows<{ body: string; livemode: number }>(sql, id, kind, account)[0];
    }

    function read<K extends Kind>(kind: K, id: string, refusal: (what: string) => Error): Objects[K] {
      const found = row(kind, id);
      if (found && Boolean(found.livemode) === livemode) return parse(found) as Objects[K];
      const [mine, other] = livemode ? ['live', 'test'] : ['test', 'live'];
      const hint = found ? `; a similar object exists in ${other} mode, but a ${mine} mode key was used to make this request.` : '';
      throw refusal(`${names[kind] ?? kind}: '${id}'${hint}`);
    }

    return {
      scope: { account, livemode },
      rows,
      run,

      /** The first save says whose it is. */
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

      /** Something will happen to the object by itself. */
      later(id: string, milliseconds: number) {
        run('insert or replace into due values (?, ?)', id, Date.now() + milliseconds);
      },

      done(id: string) {
        run('delete from due where object_id = ?', id);
      },

      due(upTo: number) {
        const sql = `select object_id as id from due join objects on id = object_id where due_at <= ? and account = ? and livemode = ?`;
        return rows<{ id: string }>(sql, upTo, ...own).map(({ id }) => id);
      },

      /** The object that the call's address names. Throws the answer 404 where there is none of this kind. */
      find: <K extends Kind>(kind: K, id: string, param = addressed[kind] ?? 'id') => read(kind, id, (what) => missing(what, param)),

      /** The object that a parameter names. Throws the answer 400 where there is none of this kind. */
      named: <K extends Kind>(kind: K, id: string, param: string) => read(kind, id, (what) => missingNamed(what, param)),

      /** Whatever has this id, or null. */
      any(id: string): unknown {
        const [found] = rows<{ body: string }>('select body from objects where id = ? and account = ? and livemode = ?', id, ...own);
        return found ? parse(found) : null;
      },

      /** Newest first. Throws the answer 400 where it is to go on from an object that is not there. */
      list<K extends Kind>(kind: K, { where = {}, created = {}, limit, startingAfter, endingBefore }: ListOptions) {
        const conditions = ['object = ?', 'account = ?', 'livemode = ?', "json_extract(body, '$.deleted') is null"];
        const values: SQLInputValue[] = [kind, ...own];
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
        const cursors = { starting_after: startingAfter, ending_before: endingBefore };
        for (const [param, id] of Object.entries(cursors)) {
          if (id) read(kind, id, (what) => missingNamed(what, param));
        }
        if (startingAfter) add('seq < (select seq from objects where id = ?)', startingAfter);
        if (endingBefore) add('seq > (select seq from objects where id = ?)', endingBefore);
        const order = endingBefore ? 'asc' : 'desc';
        const sql = `select body from objects where ${conditions.join(' and ')} order by seq ${order} limit ?`;
        const found = rows<{ body: string }>(sql, ...values, limit + 1);
        const page = found.slice(0, limit).map((one) => parse(one) as Objects[K]);
        return { data: endingBefore ? page.toReversed() : page, has_more: found.length > limit };
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

    /** Inside of a transaction: takes back what `work` did where it throws, and nothing else. */
    part: <T>(work: () => T) => within('savepoint part', 'release part', 'rollback to part; release part', work),

    /** Whose an object is, or undefined. */
    scopeOf: (id: string) =>
      rows<{ account: string; livemode: number }>('select account, livemode from objects where id = ?', id).map(asScope)[0],

    /** Where something is due by itself. */
    dueScopes: (upTo: number) =>
      rows<{ account: string; livemode: number }>(
        'select distinct account, livemode from due join objects on id = object_id where due_at <= ?',
        upTo,
      ).map(asScope),
  };
}

/** What messages call an object where that is not its kind. */
const names: Partial<Record<Kind, string>> = {
  payment_method: 'PaymentMethod',
  confirmation_token: 'ConfirmationToken',
  setup_intent: 'setupintent',
};

/** What messages call the part of an address that names an object where that is not its `id`. */
const addressed: Partial<Record<Kind, string>> = { payment_intent: 'intent', setup_intent: 'intent', payment_method: 'payment_method' };

const versionOf = (database: DatabaseSync) => (database.prepare('pragma user_version').get() as { user_version: number }).user_version;

export const newId = (prefix: string) => `${prefix}_${randomBytes(18).toString('base64url').replaceAll(/[-_]/g, '0')}`;

export const unixNow = () => Math.floor(Date.now() / 1000);
