import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

// oxlint-disable-next-line typescript/no-explicit-any -- what an answer holds is for whoever asks.
type Answer = { status: number; body: any };
type Asked = { token?: string; body?: object; network?: string };

/** One call of the API at an address. Rejects where no answer comes. */
export async function ask(address: string, method: string, path: string, { token, body, network }: Asked = {}): Promise<Answer> {
  const response = await fetch(`${address}/api${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(network && { 'x-forwarded-for': network }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  return { status: response.status, body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text };
}

/** An address that nobody else comes from, so that nobody is counted with others. */
export const anyNetwork = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

export type Person = { username: string; email: string; password: string; token: string; id: string; network: string };

export const newPerson = () => {
  const username = `c${randomUUID().replaceAll('-', '').slice(0, 14)}`;
  return { fullName: 'Mere Kingi', username, email: `${username}@example.org`, password: 'correct-horse-7' };
};

/** A new account, for which a server that is busy is asked again. */
export async function register(address: string): Promise<Person> {
  for (let tries = 0; tries < 60; tries += 1) {
    const [person, network] = [newPerson(), anyNetwork()];
    const { status, body } = await ask(address, 'POST', '/auth/register', { body: person, network });
    if (status === 201) return { ...person, network, token: body.data.token, id: body.data._id };
    if (status !== 503) throw new Error(`registering was answered by ${status}: ${JSON.stringify(body)}`);
    await pause(250);
  }
  throw new Error('registering was answered by 503 for too long');
}

export type Mail = { to: { address: string }[]; subject: string; text?: string; html?: string };

export const mailsOf = async (mailboxUrl: string): Promise<Mail[]> => (await (await fetch(`${mailboxUrl}/email`)).json()) as Mail[];

/** Asks again and again until it is so, at most for so long; whether it came to be. */
export async function until(isSo: () => Promise<boolean>, seconds: number, everyMs = 100): Promise<boolean> {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await pause(everyMs)) if (await isSo().catch(() => false)) return true;
  return false;
}
