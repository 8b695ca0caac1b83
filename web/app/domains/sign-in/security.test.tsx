import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Authenticator } from './authenticator.tsx';
import { Passkeys } from './passkeys.tsx';

const shown = (part: ReactNode) => renderToStaticMarkup(<QueryClientProvider client={new QueryClient()}>{part}</QueryClientProvider>);
const passkey = { _id: '0', name: 'My phone', createdAt: '2026-11-10T00:00:00.000Z', lastUsedAt: null };
const security = { authenticator: false, recoveryCodesLeft: 0, passkeys: [], identities: [], hasPassword: true };

test('offers no new passkey without a confirmed address, but removes existing ones', () => {
  const html = shown(<Passkeys passkeys={[passkey]} canAdd={false} onChanged={() => {}} />);
  expect(html).toContain('Available once your email address is confirmed.');
  expect(html).not.toContain('Add a passkey');
  expect(html).toContain('Remove<span class="visually-hidden"> My phone</span>');
  expect(shown(<Passkeys passkeys={[]} canAdd onChanged={() => {}} />)).not.toContain('Available once');
});

test('offers no authenticator setup without a confirmed address, but turns off an existing one', () => {
  const html = shown(<Authenticator security={security} canAdd={false} onChanged={() => {}} />);
  expect(html).toContain('Available once your email address is confirmed.');
  expect(html).not.toContain('Set up an authenticator app');
  expect(shown(<Authenticator security={{ ...security, authenticator: true }} canAdd={false} onChanged={() => {}} />)).toContain(
    'Turn the second step off',
  );
  expect(shown(<Authenticator security={security} canAdd onChanged={() => {}} />)).toContain('Set up an authenticator app');
});
