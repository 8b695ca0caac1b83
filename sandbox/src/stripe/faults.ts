/** `fail`: 500 with nothing done, which an idempotency key stores. `lose-answer`: the connection ends after the call was carried out. */
export type FaultKind = 'fail' | 'lose-answer';

type Call = { method: string; path: string; idempotencyKey: string | null };

export type CallFault = {
  does: FaultKind;
  /** The matching calls; all if missing. */
  method?: string;
  path?: string;
  idempotencyKey?: RegExp;
  /** The number of calls; one if missing. */
  times?: number;
};

/** Faults of single calls; the first matching one applies. */
export function openFaults() {
  const faults: { fault: CallFault; left: number }[] = [];
  return {
    add: (fault: CallFault) => void faults.push({ fault, left: fault.times ?? 1 }),
    clear: () => void faults.splice(0),
    /** The fault of this call, which counts as one use. */
    take(call: Call): FaultKind | null {
      const entry = faults.find(({ fault, left }) => left > 0 && matches(fault, call));
      if (!entry) return null;
      entry.left -= 1;
      return entry.fault.does;
    },
  };
}

const matches = ({ method, path, idempotencyKey }: CallFault, call: Call) =>
  (method ?? call.method) === call.method && (path ?? call.path) === call.path && (idempotencyKey?.test(call.idempotencyKey ?? '') ?? true);

export const failure = {
  type: 'api_error',
  message: 'An unknown error occurred. It was a fault on demand of the payment sandbox.',
} as const;
