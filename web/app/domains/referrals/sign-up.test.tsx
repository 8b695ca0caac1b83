import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { ReferralStatus } from './sign-up.tsx';
import { requireValidCode } from './use-referral-check.ts';

afterEach(() => vi.unstubAllGlobals());
function answering(answer: () => Response) {
  const requests: string[] = [];
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('fetch', async (url: string) => {
    requests.push(url);
    return answer();
  });
  return requests;
}

test('mentions the free month for a valid code, and what to do about an invalid one', () => {
  const shown = (check: Parameters<typeof ReferralStatus>[0]['check']) => renderToStaticMarkup(<ReferralStatus check={check} />);
  expect(shown('valid')).toContain(
    '<p>Valid code! You&#x27;ll receive 1 draw ticket.</p><p>If you list a business, your first month is free too.',
  );
  expect(shown('invalid')).toContain('<p>Invalid referral code.</p><p>Correct it, or leave the field empty.</p>');
  expect(shown('checking')).toContain('<p>Checking code...</p></div>');
});

test('rejects an invalid code at its field before creating the account, even if unchecked', async () => {
  const refused = { status: 400, fieldErrors: [{ field: 'referralCode', message: expect.stringContaining('Invalid referral code.') }] };
  await expect(requireValidCode('REF-XXX-0000', 'invalid')).rejects.toMatchObject(refused);
  const requests = answering(() => Response.json({ valid: false }));
  await expect(requireValidCode(' REF-XXX-0000 ', 'checking')).rejects.toMatchObject(refused);
  await expect(requireValidCode('REF', 'checking')).rejects.toMatchObject(refused);
  expect(requests).toEqual(['/api/referral/check/REF-XXX-0000']);
});

test('creates the account with no code, a valid one, or one whose check failed', async () => {
  expect(await requireValidCode('  ', 'empty')).toBe(false);
  expect(await requireValidCode('REF-DEM-1001', 'valid')).toBe(true);
  answering(() => Response.json({ valid: true }));
  expect(await requireValidCode('REF-DEM-1001', 'checking')).toBe(true);
  answering(() => new Response('', { status: 503 }));
  expect(await requireValidCode('REF-DEM-1001', 'checking')).toBe(false);
});
