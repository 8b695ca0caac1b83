import { type CallAddress, type InputOf, type OutputOf, fillPath } from '@handwise/contract/calls';
import { getError, noResponse } from './api.ts';
import { readUser } from './session/stored-user.ts';

type OnProgress = (share: number) => void;
type UploadParts = {
  params?: Record<string, unknown>;
  form: Record<string, unknown>;
  files: Record<string, readonly Blob[] | undefined>;
};

/** An upload that stands still for this long has failed; a busy server may need a minute for the files of a listing. */
const idleMs = 120_000;

/** Sends a form with files. `onProgress` gets the share sent, from 0 to 1; the response follows later, because the server processes the files. Throws like `call`. */
export function upload<A extends CallAddress>(address: A, input: InputOf<A>, onProgress: OnProgress): Promise<OutputOf<A>> {
  const { params = {}, form, files } = input as unknown as UploadParts;
  const body = new FormData();
  for (const [name, value] of Object.entries(form)) if (value !== undefined) body.append(name, String(value));
  for (const [name, list] of Object.entries(files)) for (const file of list ?? []) body.append(name, file);
  const token = readUser()?.token;

  // `fetch` reports no upload progress.
  const request = new XMLHttpRequest();
  const [method, path] = fillPath(address, params);
  request.open(method, `/api${path}`);
  request.responseType = 'json';
  request.setRequestHeader('Accept', 'application/json');
  if (token) request.setRequestHeader('Authorization', `Bearer ${token}`);
  let idle: ReturnType<typeof setTimeout> | undefined;
  const restartIdleTimer = () => {
    clearTimeout(idle);
    idle = setTimeout(() => request.abort(), idleMs);
  };
  request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
    restartIdleTimer();
    if (lengthComputable) onProgress(loaded / total);
  });
  return new Promise<OutputOf<A>>((resolve, reject) => {
    request.addEventListener('load', () => {
      clearTimeout(idle);
      const { status, response } = request;
      const isFine = status >= 200 && status < 300;
      if (isFine && response) resolve(response as OutputOf<A>);
      else reject(isFine ? noResponse() : getError(status, response, token));
    });
    for (const end of ['error', 'abort', 'timeout'] as const) {
      request.addEventListener(end, () => {
        clearTimeout(idle);
        reject(noResponse());
      });
    }
    restartIdleTimer();
    request.send(body);
  });
}
