import { randomUUID } from 'node:crypto';
import type { Call } from '@handwise/contract/call';
import type { Answer, Callers } from './callers.ts';

// Sample values; the first that a field accepts is used for it.
const carriers = [
  'Taupō',
  'x'.repeat(60),
  'mere_k',
  'mere@kingi.example',
  'kingi.example',
  '5',
  'true',
  'REF-MER-1001',
  randomUUID(),
  'pi_1',
  'seti_1',
  '["x"]',
  'Taupō, Waikato, New Zealand',
  'Plumbing',
  'NZ',
  'all',
  'plumbing',
  'otago',
  'domestic',
  '#10B981',
];

export type Field = { place: 'params' | 'query' | 'body' | 'form'; name: string; schema: Call['response'] };
/** All fields of a call. */
export const listFields = (call: Call): Field[] =>
  (['params', 'query', 'body', 'form'] as const).flatMap((place) =>
    Object.entries(call[place]?.shape ?? {}).map(([name, schema]) => ({ place, name, schema: schema as Call['response'] })),
  );
/** A value that the field accepts: a text, or a list of one. */
export const createSample = ({ schema }: Field) =>
  carriers.flatMap((text) => [text, [text]] as const).find((value) => schema.safeParse(value).success);

type Caller = ReturnType<Callers['from']>;

/** Makes a call with these values of its fields. */
export function makeCall(caller: Caller, call: Call, values: ReadonlyMap<Field, unknown>): Promise<Answer> {
  const all = (place: Field['place']) =>
    [...values].flatMap(([field, value]) =>
      field.place === place && value !== undefined ? [[field.name, value] as [string, unknown]] : [],
    );
  const text = (value: unknown) => encodeURIComponent([value].flat().map(String).join().toWellFormed());
  const path = call.url.replace(/:(\w+)/g, (_, name: string) => text(all('params').find(([one]) => one === name)?.[1]));
  const query = all('query')
    .map(([name, value]) => `${name}=${text(value)}`)
    .join('&');
  if (call.form) {
    const fields = Object.fromEntries(all('form').map(([name, value]) => [name, [value].flat().map(String)]));
    return call.method === 'PUT' ? caller.putForm(path, fields) : caller.postForm(path, fields);
  }
  const address = `${path}${query && `?${query}`}`;
  const body = Object.fromEntries(all('body'));
  if (call.method === 'GET') return caller.get(address);
  if (call.method === 'DELETE') return caller.delete(address, Object.keys(body).length > 0 ? body : undefined);
  return call.method === 'PUT' ? caller.put(address, body) : caller.post(address, body);
}
