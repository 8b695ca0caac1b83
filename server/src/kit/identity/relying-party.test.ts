import { expect, test } from 'vitest';
import { relyingPartyOf } from './relying-party.ts';

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
])('a passkey made at %s is for %s', (host, id, origin) => {
  expect(relyingPartyOf(host, sites)).toEqual({ id, origin });
});

test('the scheme and port are those of the site, whatever the host says', () => {
  const secure = { appUrl: 'https://handwise.example', hosts: ['handwise.co.nz'] };
  expect(relyingPartyOf('handwise.co.nz:8080', secure)).toEqual({ id: 'handwise.co.nz', origin: 'https://handwise.co.nz' });
});
