import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';

// Behind a proxy at 192.0.2.1, with the real pages, and on a real port.
const { app, given, parts } = await testApp(
  { TRUST_PROXY: '192.0.2.1', APP_URL: 'https://www.handwise.example', MARKET_HOSTS: '{"kiwi.example":"NZ"}' },
  await testSite(),
);
const { logged } = parts;
await app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => app.close());
const { port } = app.server.address() as AddressInfo;
const proxy = '192.0.2.1';

const marketOf = async (host: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') => {
  const answer = await app.inject({ url: '/api/config', headers: { ...headers, host }, remoteAddress });
  return answer.statusCode === 200 ? answer.json().market : answer.statusCode;
};

test.each([
  ['handwise.co.nz', 'NZ'],
  ['www.handwise.CO.NZ:8443', 'NZ'],
  ['handwise.com', 'AU'],
  ['KIWI.example', 'NZ'],
  ['handwise.nz', null],
  ['handwise.com.au', null],
  ['nz.localhost:3000', 'NZ'],
  ['au.localhost', 'AU'],
  ['localhost:3000', null],
  ['co.nz.example', null],
])('%s is the site of %s', async (host, market) => {
  expect(await marketOf(host)).toBe(market);
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'constructor:80', 'a b', '[::1]'])(
  'a host called %s is one that decides no country, on pages and calls',
  async (host) => {
    expect(await marketOf(host)).toBe(null);
    const page = await app.inject({ url: '/services', headers: { host } });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('in New Zealand and Australia');
  },
);

test('the country depends on the host only, not on forwarded headers', async () => {
  const forwarded = { 'x-forwarded-host': 'handwise.com', forwarded: 'host=handwise.com' };
  for (const from of ['127.0.0.1', proxy]) {
    expect(await marketOf('handwise.co.nz', forwarded, from)).toBe('NZ');
    expect(await marketOf('localhost', forwarded, from)).toBe(null);
    const page = await app.inject({ url: '/services', headers: { ...forwarded, host: 'handwise.co.nz' }, remoteAddress: from });
    expect(page.body).not.toContain('lang="en-AU"');
  }
});

const login = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: 'nobody@example.org', password: 'x' },
    headers: { host: 'handwise.co.nz', ...headers },
    remoteAddress,
  });
const forwarded = { 'x-forwarded-proto': 'https' };

test.each([
  ['without an origin', {}, '127.0.0.1', true],
  ['of the same host and scheme', { origin: 'http://handwise.co.nz' }, '127.0.0.1', true],
  ['of the same host and port', { origin: 'http://handwise.co.nz:81', host: 'handwise.co.nz:81' }, '127.0.0.1', true],
  ['of the scheme that the proxy names', { origin: 'https://handwise.co.nz', ...forwarded }, proxy, true],
  ['of the site’s own public address', { origin: 'https://www.handwise.example' }, '127.0.0.1', true],
  ['of another scheme', { origin: 'https://handwise.co.nz' }, '127.0.0.1', false],
  ['of another scheme behind the proxy', { origin: 'http://handwise.co.nz', ...forwarded }, proxy, false],
  ['of a scheme that somebody else claims', { origin: 'https://handwise.co.nz', ...forwarded }, '192.0.2.2', false],
  ['of the public address without its scheme', { origin: 'http://www.handwise.example' }, '127.0.0.1', false],
  ['of another port', { origin: 'http://handwise.co.nz:81' }, '127.0.0.1', false],
  ['of a forwarded host', { origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' }, proxy, false],
  ['of nowhere', { origin: 'null' }, '127.0.0.1', false],
])('accepts or rejects a request %s', async (_, headers, from, taken) => {
  const answer = await login(headers, from);
  expect(answer.json().code).toBe(taken ? 'invalid_credentials' : 'cross_origin');
});

/** Sends raw bytes and returns the response. */
async function answerTo(...lines: string[]): Promise<{ status: number; body: string }> {
  const socket = connect(port, '127.0.0.1');
  socket.write([...lines, 'connection: close', '', ''].join('\r\n'));
  const answer = await text(socket);
  return { status: Number(answer.split(' ', 2)[1]), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) };
}

test('rejects a request with two hosts, in headers or in the URL', async () => {
  const one = await answerTo('GET /api/config HTTP/1.1', 'host: handwise.co.nz');
  expect([one.status, JSON.parse(one.body).market]).toEqual([200, 'NZ']);
  for (const lines of [
    ['GET /api/config HTTP/1.1', 'host: handwise.co.nz', 'Host: handwise.com'],
    ['GET /services HTTP/1.1', 'host: handwise.co.nz', 'accept: */*', 'HOST: handwise.co.nz'],
    ['GET http://handwise.com/api/config HTTP/1.1', 'host: handwise.co.nz'],
    ['GET http://handwise.com/services HTTP/1.1', 'host: handwise.com'],
  ]) {
    const answer = await answerTo(...lines);
    expect([lines, answer.status]).toEqual([lines, 400]);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'malformed_request', requestId: expect.any(String) });
  }
});

test('rejects a malformed URL with the common error format', async () => {
  for (const path of ['/%zz', '/api/%zz', '/listing/%c3%28']) {
    const answer = await answerTo(`GET ${path} HTTP/1.1`, 'host: a');
    expect([path, answer.status]).toEqual([path, 400]);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'malformed_request', message: expect.any(String), errors: [] });
  }
});

test('answers JSON to every method and body at unknown URLs below /api', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    for (const url of ['/api', '/api/', '/api/nothing/here', '/api/listing/find/a/b', '/api/services?x=1']) {
      for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
        const payload = method === 'GET' || method === 'OPTIONS' ? undefined : 'no JSON';
        const answer = await app.inject({
          method,
          url,
          headers: payload === undefined ? {} : { 'content-type': type },
          ...(payload && { payload }),
        });
        expect([method, url, answer.statusCode, answer.headers['content-type']]).toEqual([
          method,
          url,
          404,
          'application/json; charset=utf-8',
        ]);
        expect(answer.json()).toMatchObject({ code: 'route_not_found', message: expect.any(String), requestId: expect.any(String) });
      }
    }
  }
  const head = await app.inject({ method: 'HEAD', url: '/api/nothing' });
  expect([head.statusCode, head.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  expect((await answerTo('PROPFIND /api/nothing HTTP/1.1', 'host: a')).status).toBe(404);
});

/** Sends data and cuts the connection once the server has started to read it. */
async function cutOff(...lines: string[]) {
  const arrived = once(app.server, 'request');
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(lines.join('\r\n'));
  const [request] = await arrived;
  const closed = new Promise((done) => request.socket.once('close', done));
  socket.destroy();
  await closed;
}

test('does not log a cut connection as an error', async () => {
  const user = await given.user();
  const head = (path: string, ...headers: string[]) => [`POST ${path} HTTP/1.1`, 'host: a', ...headers, 'content-length: 10000', ''];
  await cutOff(...head('/api/auth/login', 'content-type: application/json'), '{"email":');
  await cutOff(...head('/api/stripe/webhook'), '{"type":');
  const form = head('/api/listing/create', `authorization: Bearer ${user.token}`, 'content-type: multipart/form-data; boundary=x');
  await cutOff(...form, '--x', 'content-disposition: form-data; name="serviceTitle"', '', 'Half a');
  await cutOff(
    ...form,
    '--x',
    'content-disposition: form-data; name="serviceImages[]"; filename="a.png"',
    'content-type: image/png',
    '',
    'PNG',
  );
  await cutOff('GET / HTTP/1.1', 'host: a', '', '');
  await cutOff('GET /api/docs/static/swagger-ui-bundle.js HTTP/1.1', 'host: a', '', '');
  // By then any error has been logged.
  await login({});
  await app.close();
  expect(logged).toEqual([]);
});
