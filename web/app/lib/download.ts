import type { ErrorBody } from '@handwise/contract/errors';
import { ApiError, connectionProblem } from './api-error.ts';
import { withConfirmedIdentity } from './session/confirmation-retry.ts';
import { readUser } from './session/stored-user.ts';

/** Downloads a file of the signed-in user, which a plain link could not authenticate. Throws `ApiError`. */
export const download = (path: `/api/${string}`, fileName: string) => withConfirmedIdentity(() => fetchFile(path, fileName));

async function fetchFile(path: `/api/${string}`, fileName: string) {
  const response = await fetch(path, { headers: { Authorization: `Bearer ${readUser()?.token ?? ''}` } }).catch(() => {
    throw new ApiError(0, 'network', connectionProblem);
  });
  if (!response.ok) {
    const problem = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | undefined;
    throw new ApiError(response.status, problem?.code ?? 'internal', problem?.message ?? 'An unexpected error occurred');
  }
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // By then the browser has read the data.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
