import type { buildApp } from '@handwise/server/http/app';

type App = Awaited<ReturnType<typeof buildApp>>;

export type FormFile = { field: string; name: string; bytes: Uint8Array };

export type Answer = { status: number; body: any; headers: Record<string, string | string[] | number | undefined> };

type User = { token: string };

/** Callers of the app's API, through HTTP without a network. */
export function createCallers(app: App) {
  const caller = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') => {
    const send = async (
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      path: string,
      more: { type?: string; payload?: object },
    ): Promise<Answer> => {
      const { type, payload } = more;
      const answer = await app.inject({
        method,
        url: `/api${path}`,
        headers: { ...headers, ...(type && { 'content-type': type }) },
        remoteAddress,
        ...(payload && { payload }),
      });
      const isJson = answer.headers['content-type']?.toString().includes('json');
      return { status: answer.statusCode, body: answer.body && isJson ? answer.json() : answer.body, headers: answer.headers };
    };
    const sending = (method: 'GET' | 'POST' | 'PUT' | 'DELETE') => (path: string, body?: object) =>
      send(method, path, body ? { payload: body } : {});
    /** A form with files, as a browser sends it. Text fields can be lists; a file is its bytes. */
    const sendingForm =
      (method: 'POST' | 'PUT') =>
      async (path: string, fields: Record<string, string | readonly string[]>, files: readonly FormFile[] = []): Promise<Answer> => {
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
        for (const { field, name, bytes } of files) form.append(field, new Blob([new Uint8Array(bytes)]), name);
        const encoded = new Response(form);
        const payload = Buffer.from(await encoded.arrayBuffer());
        return send(method, path, { type: encoded.headers.get('content-type') ?? '', payload });
      };
    return {
      get: sending('GET'),
      post: sending('POST'),
      put: sending('PUT'),
      delete: sending('DELETE'),
      postForm: sendingForm('POST'),
      putForm: sendingForm('PUT'),
    };
  };

  const as = (user: User) => caller({ authorization: `Bearer ${user.token}` });
  return {
    asVisitor: caller(),
    as,
    from: (remoteAddress: string, headers: Record<string, string> = {}) => caller(headers, remoteAddress),
    /** On a host of one country, as a visitor or as a user. */
    onHost: (host: string, user?: User) => caller({ host, ...(user && { authorization: `Bearer ${user.token}` }) }),
    /** Reports a payment made at the provider. */
    confirm: (user: User, paymentIntentId: string) => as(user).post('/plan-user/confirm-payment', { paymentIntentId }),
  };
}

export type Callers = ReturnType<typeof createCallers>;
