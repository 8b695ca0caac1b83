import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';

export type Person = { id: string; token: string };

/** Somebody new with a session. The name is nobody else's. */
export async function makePerson(client: pg.Client, name: string): Promise<Person> {
  const token = randomBytes(32).toString('base64url');
  const { rows } = await client.query<{ id: string }>(
    `with made as (
       insert into users (full_name, username, email, password_hash, referral_code) values ('Bench Person', $1, $2, 'x', $3) returning id
     )
     insert into sessions (token_hash, user_id, created_at, expires_at) select $4, id, now(), now() + interval '1 day' from made returning user_id as id`,
    [name.slice(0, 20), `${name}@example.org`, `REF-${name}`, createHash('sha256').update(token).digest()],
  );
  return { id: rows[0]?.id ?? '', token };
}
