import { createHash } from 'node:crypto';
import { invalidRequest, ApiError } from './errors.ts';
import type { Database, Scope } from './store.ts';

const dayMs = 24 * 3600 * 1000;

export type StoredResponse = { status: number; body: string };
type IdempotentCall = Scope & { key: string; request: string; requestId: string };

/** The stored response of the key, or a new one, which is stored for a day in the caller's transaction. An exception is not stored. */
export function answerOnce(
  database: Database,
  { account, livemode, key, request, requestId }: IdempotentCall,
  execute: () => StoredResponse,
) {
  if (key.length > 255) throw invalidRequest('Idempotency keys must be at most 255 characters long.');
  const now = Date.now();
  database.run('delete from answers where created_at <= ?', now - dayMs);
  type Row = { request: string; request_id: string; status: number; body: string };
  const [before] = database.rows<Row>(
    'select request, request_id, status, body from answers where account = ? and livemode = ? and key = ?',
    account,
    Number(livemode),
    key,
  );
  if (before && before.request !== request) {
    const message =
      'Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other ' +
      `than '${key}' if you meant to execute a different request.`;
    throw new ApiError(400, { type: 'idempotency_error', message });
  }
  if (before) return { status: before.status, body: before.body, replayedFrom: before.request_id };
  const { status, body } = execute();
  database.run(
    'insert into answers values (?, ?, ?, ?, ?, ?, ?, ?)',
    account,
    Number(livemode),
    key,
    request,
    requestId,
    status,
    body,
    now,
  );
  return { status, body, replayedFrom: null };
}

/** Identifies equal calls. Salted, because the parameters may contain a card number. */
export const fingerprint = (salt: string, { method, path, body }: { method: string; path: string; body: string }) =>
  createHash('sha256')
    .update(JSON.stringify([salt, method, path, [...new URLSearchParams(body)].map((pair) => pair.join('=')).toSorted()]))
    .digest('base64url');
