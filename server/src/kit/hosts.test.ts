import { expect, test } from 'vitest';
import { getRelyingParty } from './hosts.ts';

const sites = { appUrl: 'http://localhost:3000', hosts: ['nz.localhost', 'handwise.co.nz'] };

test.each([
  ['localhost:3000', 'localhost', 'http://localhost:3000'],
  ['nz.localhost:3000', 'nz.localhost', 'http://nz.localhost:3000'],
  ['NZ.localhost', 'nz.localhost', 'http://nz.localhost:3000'],
  ['evil.example', 'localhost', 'http://localhost:3000'],
  ['nz.localhost.evil.example', 'localhost', 'http://localhost:3000'],
  ['nz.localhost@evil.example', 'localhost', 'http://localhost:3000'],
  ['', 'localhost', 'http://localhost:3000'],
  [undefined, 'localhost', 'http://localhost:3000'],
])('a passkey created at %s belongs to %s', (host, id, origin) => {
  expect(getRelyingParty(host, sites)).toEqual({ id, origin });
});

test('takes the scheme and port from the site, not the Host header', () => {
  const secure = { appUrl: 'https://handwise.example', hosts: ['handwise.co.nz'] };
  expect(getRelyingParty('handwise.co.nz:8080', secure)).toEqual({ id: 'handwise.co.nz', origin: 'https://handwise.co.nz' });
});
