import { Refusal } from './errors.ts';
import { type Params, text } from './form.ts';
import type { Scope } from '../state/store.ts';

type Call = { method: string; path: string };
type KnownKey = Scope & { isPublishable: boolean; isExpired: boolean; permits: ((call: Call) => boolean) | null };

export type Keys = ReturnType<typeof openKeys>;

/** Which keys there are, whose they are, and what they may do. */
export function openKeys() {
  const known = new Map<string, KnownKey>();

  /** Throws where the call has no right key, or one that may not do this. */
  function callerOf(call: Call, authorization: string | null, params: Params): Scope & { byBrowser: boolean } {
    const given = keyOf(authorization) ?? text(params, 'key');
    delete params['key'];
    if (given === null) {
      throw unauthorized(
        'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.',
      );
    }
    const key = known.get(given);
    if (!key) throw unauthorized(`Invalid API Key provided: ${masked(given)}`);
    if (key.isExpired) throw unauthorized(`Expired API Key provided: ${masked(given)}`, 'api_key_expired');
    if (key.permits && !key.permits(call)) throw forbidden(call, given, key.account);
    return { account: key.account, livemode: key.livemode, byBrowser: key.isPublishable };
  }

  const change = (key: string, to: Partial<KnownKey>) => {
    const before = known.get(key);
    if (!before) throw new Error(`there is no key ${masked(key)}`);
    known.set(key, { ...before, ...to });
  };

  return {
    callerOf,

    /** Further keys, of another account too. What they are for says their beginning: sk, rk or pk, and test or live. */
    add(keys: string[], account = 'acct_sandbox') {
      for (const key of keys) {
        const [, kind, mode] = /^(sk|rk|pk)_(test|live)_\w+$/.exec(key) ?? [];
        if (!kind) throw new Error(`${masked(key)} is no key of a payment provider`);
        known.set(key, { account, livemode: mode === 'live', isPublishable: kind === 'pk', isExpired: false, permits: null });
      }
    },

    /** Calls with it are answered with 401: as expired, or, `forget`, as if it had never been one. */
    expire: (key: string) => change(key, { isExpired: true }),
    forget: (key: string) => known.delete(key),

    /** Makes it a restricted one: other calls are answered with 403. Null permits everything again. */
    restrict: (key: string, permits: ((call: Call) => boolean) | null) => change(key, { permits }),
  };
}

const unauthorized = (message: string, code?: string) =>
  new Refusal(401, { type: 'invalid_request_error', message, ...(code && { code }) }, { executed: false });

function forbidden({ method, path }: Call, key: string, account: string) {
  const resource = (path.split('/')[2] ?? '').replace(/s$/, '');
  const permission = `rak_${resource}_${method === 'GET' ? 'read' : 'write'}`;
  const message =
    `The provided key '${masked(key)}' does not have the required permissions for this endpoint on account '${account}'. ` +
    `Having the '${permission}' permission would allow this request to continue.`;
  return new Refusal(403, { type: 'invalid_request_error', message }, { executed: false });
}

const masked = (key: string) => `${key.slice(0, 7)}****${key.slice(-4)}`;

/** The key in `Bearer <key>`, or in `Basic` as the user's name. */
function keyOf(authorization: string | null) {
  const [scheme, value = ''] = authorization?.split(' ') ?? [];
  if (scheme?.toLowerCase() === 'bearer') return value;
  if (scheme?.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString().split(':')[0] ?? null;
  return null;
}
