import { ApiError } from './errors.ts';
import { type Params, text } from './params.ts';
import type { Scope } from './store.ts';

type Call = { method: string; path: string };
type KnownKey = Scope & { isPublishable: boolean; permits: ((call: Call) => boolean) | null };

export type Keys = ReturnType<typeof openKeys>;

/** The API keys with their accounts and permissions. */
export function openKeys() {
  const known = new Map<string, KnownKey>();

  /** Throws if the call has no known key, or one without permission. */
  function callerOf(call: Call, authorization: string | null, params: Params): Scope & { byBrowser: boolean } {
    const secret = getKey(authorization) ?? text(params, 'key');
    delete params['key'];
    if (secret === null) {
      throw unauthorized(
        'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.',
      );
    }
    const key = known.get(secret);
    if (!key) throw unauthorized(`Invalid API Key provided: ${masked(secret)}`);
    if (key.permits && !key.permits(call)) throw forbidden(call, secret, key.account);
    return { account: key.account, livemode: key.livemode, byBrowser: key.isPublishable };
  }

  return {
    callerOf,

    /** Adds keys, also of another account. Their prefix says kind and mode: `sk_test_`, `rk_live_`, `pk_test_`. */
    add(keys: string[], account = 'acct_sandbox') {
      for (const key of keys) {
        const [, kind, mode] = /^(sk|rk|pk)_(test|live)_\w+$/.exec(key) ?? [];
        if (!kind) throw new Error(`${masked(key)} is not a key of a payment provider`);
        known.set(key, { account, livemode: mode === 'live', isPublishable: kind === 'pk', permits: null });
      }
    },

    /** Makes it a restricted key: other calls are rejected with 403. */
    restrict(key: string, permits: (call: Call) => boolean) {
      const before = known.get(key);
      if (!before) throw new Error(`There is no key ${masked(key)}`);
      known.set(key, { ...before, permits });
    },
  };
}

const unauthorized = (message: string) => new ApiError(401, { type: 'invalid_request_error', message }, { executed: false });

function forbidden({ method, path }: Call, key: string, account: string) {
  const resource = (path.split('/')[2] ?? '').replace(/s$/, '');
  const permission = `rak_${resource}_${method === 'GET' ? 'read' : 'write'}`;
  const message =
    `The provided key '${masked(key)}' does not have the required permissions for this endpoint on account '${account}'. ` +
    `Having the '${permission}' permission would allow this request to continue.`;
  return new ApiError(403, { type: 'invalid_request_error', message }, { executed: false });
}

const masked = (key: string) => `${key.slice(0, 7)}****${key.slice(-4)}`;

/** The key in `Bearer <key>`, or the user name of `Basic`. */
function getKey(authorization: string | null) {
  const [scheme, value = ''] = authorization?.split(' ') ?? [];
  if (scheme?.toLowerCase() === 'bearer') return value;
  if (scheme?.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString().split(':')[0] ?? null;
  return null;
}
