import { Refusal } from './errors.ts';

/**
 * What goes wrong with a call:
 * - `fail`: 500, with nothing done; `fail-after`: 500, although it was done. An idempotency key keeps either answer for its day.
 * - `conflict`: 409, as if another call had the idempotency key; `busy`: 429. Nothing is done or kept.
 * - `unauthorized`: 401 for a wrong key; `expired`: 401 for one that has ended; `forbidden`: 403.
 * - `other-mode`: carried out as if the key were one of the other mode.
 * - `slow`: carried out at once and answered late; `slow-start`: carried out late, so that its idempotency key is in use meanwhile.
 * - `cut`: the connection ends, with nothing done; `lose-answer`: it ends when the call was carried out.
 */
export const failings = [
  'fail',
  'fail-after',
  'conflict',
  'busy',
  'unauthorized',
  'expired',
  'forbidden',
  'other-mode',
  'slow',
  'slow-start',
  'cut',
  'lose-answer',
] as const;
export type Failing = (typeof failings)[number];

type Call = { method: string; path: string; idempotencyKey: string | null };

export type CallFault = {
  does: Failing;
  /** Which calls: all where nothing is said. A path that is a text is the whole of it. */
  method?: string;
  path?: string | RegExp;
  idempotencyKey?: string | RegExp;
  /** How often; Infinity until it is taken back. Once where nothing is said. */
  times?: number;
  /** How late, for the slow ones: so many milliseconds, or when this comes. */
  ms?: number;
  until?: Promise<void>;
};

export type Faults = ReturnType<typeof openFaults>;

/** Faults on demand. The one that was added first and matches is the one that happens. */
export function openFaults() {
  const faults: { fault: CallFault; left: number }[] = [];

  return {
    /** Gives back how to end it. */
    add(fault: CallFault) {
      const entry = { fault, left: fault.times ?? 1 };
      faults.push(entry);
      return () => void (entry.left = 0);
    },

    clear: () => void faults.splice(0),

    /** What happens to this call, which counts as one time. Nothing happens to those that control the stand-in. */
    hit(call: Call): CallFault | null {
      if (call.path.startsWith('/sandbox/')) return null;
      const entry = faults.find(({ fault, left }) => left > 0 && isMeant(fault, call));
      if (!entry) return null;
      entry.left -= 1;
      return entry.fault;
    },
  };
}

function isMeant({ method, path, idempotencyKey }: CallFault, call: Call) {
  const fits = (wanted: string | RegExp | undefined, is: string | null) =>
    wanted === undefined || (typeof wanted === 'string' ? wanted === is : wanted.test(is ?? ''));
  return fits(method, call.method) && fits(path, call.path) && fits(idempotencyKey, call.idempotencyKey);
}

const refusal = (status: number, message: string, code?: string) =>
  new Refusal(status, { type: 'invalid_request_error', message, ...(code && { code }) }, { executed: false });

/** The answer to a call that is turned away before anything is done. */
export function turnedAway(does: Failing): Refusal | null {
  if (does === 'unauthorized') return refusal(401, 'Invalid API Key provided: sk_test****');
  if (does === 'expired') return refusal(401, 'Expired API Key provided: sk_test****', 'api_key_expired');
  if (does === 'forbidden') return refusal(403, "The provided key 'rk_test****' does not have the required permissions for this endpoint.");
  if (does === 'busy') return refusal(429, 'Request rate limit exceeded. Please try again later.', 'rate_limit');
  if (does === 'conflict')
    return refusal(409, 'There is currently another in-progress request using this Idempotent Key.', 'idempotency_key_in_use');
  return null;
}

export const failed = {
  type: 'api_error',
  message: 'An unknown error occurred. It was a fault on demand of the payment sandbox.',
} as const;
