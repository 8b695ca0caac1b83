import type { suggestBases } from '@handwise/contract/listings/service-area';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { call } from '../../../lib/api.ts';
import { debounce } from '../../../lib/debounce.ts';

const ask = (district: string, begins: string, signal?: AbortSignal) =>
  call<typeof suggestBases>({ method: 'GET', url: '/listing/bases' }, { query: { district, begins } }, signal);

// So long nothing more must be typed before the server is asked.
const pauseMs = 150;

/** The towns and suburbs of a district that begin as typed. Those of before stay until there are others: a list that blinks is hard to use. */
export function useBases(district: string, typed: string): readonly string[] {
  const [bases, setBases] = useState<readonly string[]>([]);
  const begins = typed.trim().slice(0, 80);
  useEffect(() => {
    if (!district) return undefined;
    return debounce(pauseMs, (signal) => {
      ask(district, begins, signal).then(
        (found) => setBases(found.bases),
        // A field without suggestions takes what is typed all the same.
        () => {},
      );
    });
  }, [district, begins]);
  return bases;
}

/** Throws `ApiError` at the field where a base is none of the district's. Where nobody answers, the listing's own call will. */
export async function checkBase(district: string, base: string): Promise<void> {
  if (base.trim() === '') return;
  const found = await ask(district, base.trim()).catch(() => null);
  if (!found || found.named !== null) return;
  const message = `There is no such town or suburb in ${district}`;
  throw new ApiError(400, 'invalid_input', message, [{ field: 'base', message }]);
}
