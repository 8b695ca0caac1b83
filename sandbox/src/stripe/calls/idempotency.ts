import { createHash } from 'node:crypto';
import { invalid, Refusal } from './errors.ts';
import type { Database, Scope } from '../state/store.ts';

const dayMs = 24 * 3600 * 1000;

export type Answer = { status: number; body: string };
type Asked = Scope & { key: string; request: string; requestId: string };

/**
 * The answer that the key had before, or the one made now, which is kept for a day. Part of the caller's transaction. What is thrown
 * is not kept.
 */
export function once(database: Database, { account, livemode, key, request, requestId }: Asked, make: () => Answer) {
  if (key.length > 255) throw invalid('Idempotency keys must be at most 255 characters long.');
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
    throw new Refusal(400, { type: 'idempotency_error', message });
  }
  if (before) return { status: before.status, body: before.body, replayedFrom: before.request_id };
  const { status, body } = make();
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

/** A call as far as it must be the same to have the same answer. Salted, because the parameters may hold a card number. */
export const fingerprint = (salt: string, { method, path, body }: { method: string; path: string; body: string }) =>
  createHash('sha256')
    .update(JSON.stringify([salt, method, path, [...new URLSearchParams(body)].map((pair) => pair.join('=')).toSorted()]))
    .digest('base64url');

/** Keys of calls that are being carried out. */
export function openClaims() {
  const taken = new Set<string>();

  /** Throws the answer 409 while another call with the same key is under way; else gives back how to let it go. */
  return (caller: string, key: string): (() => void) => {
    const claim = JSON.stringify([caller, key]);
    if (taken.has(claim)) {
      const message =
        'There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other ' +
        `request is still going through): ${key}. Please try again later.`;
      throw new Refusal(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use', message }, { executed: false });
    }
    taken.add(claim);
    let isHeld = true;
    return () => {
      if (isHeld) taken.delete(claim);
      isHeld = false;
    };
  };
}
