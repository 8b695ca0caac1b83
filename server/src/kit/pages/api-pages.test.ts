import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { testApp } from '@handwise/sandbox/testing/app';
import { contractCalls } from '@handwise/sandbox/testing/calls';

const { app, callers } = await testApp();
const { asVisitor } = callers;

test('the API page marks exactly the required fields and files as required', async () => {
  const { paths } = (await asVisitor.get('/openapi.json')).body;
  for (const call of await contractCalls()) {
    const path = `/api${call.url.replaceAll(/:(\w+)/g, '{$1}')}`;
    const { content } = paths[path][call.method.toLowerCase()].requestBody ?? { content: {} };
    const fields = Object.entries({ ...call.body?.shape, ...call.form?.shape });
    const required = [
      ...fields.flatMap(([name, field]) => (field.safeParse(undefined).success ? [] : [name])),
      ...Object.entries(call.files ?? {}).flatMap(([name, file]) => (file.required ? [name] : [])),
    ];
    for (const { schema } of Object.values<{ schema: { required?: string[] } }>(content)) {
      expect([path, schema.required?.toSorted() ?? []]).toEqual([path, required.toSorted()]);
    }
  }
  const { required } = paths['/api/listing/create'].post.requestBody.content['multipart/form-data'].schema;
  expect(required).toContain('services');
  expect(required).not.toContain('logo');
  expect(required).not.toContain('serviceImages');
});

test.each([
  ['/api/openapi.json', 'application/json; charset=utf-8'],
  ['/api/docs/json', 'application/json; charset=utf-8'],
  ['/api/docs/yaml', 'application/x-yaml; charset=utf-8'],
])('%s is sent from one buffer, compressed to at most 400 kB, with its ETag', async (url, type) => {
  const stringify = vi.spyOn(JSON, 'stringify');
  const get = (headers: Record<string, string> = {}) => app.inject({ url, headers, remoteAddress: '192.0.2.77' });
  const whole = await get({ 'accept-encoding': 'identity' });
  expect([whole.statusCode, whole.headers['content-type'], whole.headers['content-encoding']]).toEqual([200, type, undefined]);
  const described: unknown = url.endsWith('yaml') ? parse(whole.body) : JSON.parse(whole.body);
  expect(described).toEqual((await asVisitor.get('/openapi.json')).body);
  const { etag = '' } = whole.headers;
  for (const encoding of ['br', 'gzip'] as const) {
    const { headers, rawPayload } = await get({ 'accept-encoding': encoding });
    expect([headers['content-encoding'], headers.etag]).toEqual([encoding, etag]);
    expect(rawPayload.length).toBeLessThan(400_000);
    const unpacked = encoding === 'br' ? brotliDecompressSync(rawPayload) : gunzipSync(rawPayload);
    expect(unpacked.equals(whole.rawPayload)).toBe(true);
  }
  const known = await get({ 'if-none-match': etag });
  expect([known.statusCode, known.body]).toEqual([304, '']);
  const built = stringify.mock.calls.filter(([value]) => typeof value === 'object' && value !== null && 'openapi' in value);
  stringify.mockRestore();
  expect(built.length).toBeLessThanOrEqual(1);
});

test('limits a network to 60 descriptions of the API a minute, in any format', async () => {
  const urls = ['/api/openapi.json', '/api/docs/json', '/api/docs/yaml'];
  const get = (index: number, remoteAddress = '192.0.2.78') => app.inject({ url: urls[index % 3] ?? '', remoteAddress });
  for (let index = 0; index < 60; index += 1) expect((await get(index)).statusCode).toBe(200);
  const refused = await get(0);
  expect([refused.statusCode, refused.json().code, Number(refused.headers['retry-after']) > 0]).toEqual([429, 'too_many_requests', true]);
  expect((await get(0, '192.0.2.79')).statusCode).toBe(200);
});

test('sends the files of the API page compressed once, with their type and an ETag', async () => {
  for (const [file, type] of [
    ['swagger-ui-bundle.js', 'text/javascript'],
    ['swagger-ui-standalone-preset.js', 'text/javascript'],
    ['swagger-ui.css', 'text/css'],
  ] as const) {
    const get = (headers: Record<string, string>) => app.inject({ url: `/api/docs/static/${file}`, headers });
    const first = await get({ 'accept-encoding': 'br' });
    expect([first.statusCode, first.headers['content-encoding']]).toEqual([200, 'br']);
    expect(first.headers['content-type']).toContain(type);
    const again = await get({ 'accept-encoding': 'br', 'if-none-match': String(first.headers['etag']) });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
    const plain = await get({ 'accept-encoding': 'identity' });
    expect(brotliDecompressSync(first.rawPayload).equals(plain.rawPayload)).toBe(true);
  }
});
