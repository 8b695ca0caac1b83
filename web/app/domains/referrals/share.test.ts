import { expect, test } from 'vitest';
import { referralLink, shareCode, type ShareTools, type ShareWay } from './share.ts';

const code = 'REF-DEM-1001';
const link = referralLink('https://handwise.example', code);
const text = `Join me on Handwise with my referral code ${code}. List your business and the first month is free, otherwise you go into the $1,000 monthly prize draw. ${link}`;
const refuse = () => {
  throw new Error('refused');
};

async function share(way: ShareWay, changes: Partial<ShareTools> = {}, senderName = 'Mere Kingi') {
  const did: string[] = [];
  await shareCode(
    way,
    { code, link, senderName },
    {
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
      open: (address, size = 'a tab') => did.push(`opened ${address} in ${size}`) > 0,
      hand: (address) => void did.push(`handed ${address}`),
      copy: async (copied) => void did.push(`copied ${copied}`),
      showToast: (message, kind) => void did.push(`${kind}: ${message}`),
      ...changes,
    },
  );
  return did;
}

test('links to the sign-up with the code filled in', () => {
  expect(link).toBe('https://handwise.example/auth/register?ref=REF-DEM-1001');
  expect(referralLink('https://handwise.example', 'a&b')).toBe('https://handwise.example/auth/register?ref=a%26b');
});

test('opens Facebook in a small window and WhatsApp in a new tab', async () => {
  expect(await share('facebook')).toEqual([
    `opened https://www.facebook.com/sharer/sharer.php?u=${encodeURIComponent(link)} in width=600,height=400`,
  ]);
  expect(await share('whatsapp')).toEqual([`opened https://wa.me/?text=${encodeURIComponent(text)} in a tab`]);
});

test('opens an email with subject and text, signed by the sender or a friend', async () => {
  const mail = (sender: string) =>
    `handed mailto:?subject=${encodeURIComponent(`${sender} invites you to Handwise`)}&body=${encodeURIComponent(`${text}\n\n${sender}`)}`;
  expect(await share('email')).toEqual([mail('Mere Kingi')]);
  expect(await share('email', {}, '')).toEqual([mail('A friend')]);
});

test.each(['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 'Mozilla/5.0 (Linux; Android 16; Pixel 10)'])(
  'opens a text message on %s',
  async (userAgent) => {
    expect(await share('text', { userAgent })).toEqual([`handed sms:?&body=${encodeURIComponent(text)}`]);
  },
);

test('copies the text on other devices', async () => {
  expect(await share('text')).toEqual([
    `copied ${text}`,
    'success: Message copied to clipboard! Paste it into your messaging app to share.',
  ]);
});

test.each(['facebook', 'whatsapp'] as const)('copies the text if the browser opens no window for %s', async (way) => {
  const copied = [`copied ${text}`, 'success: Message copied to clipboard! Paste it to share.'];
  expect(await share(way, { open: () => false })).toEqual(copied);
  expect(await share(way, { open: refuse })).toEqual(copied);
});

test('copies the text and says so if no email app opens', async () => {
  expect(await share('email', { hand: refuse })).toEqual([
    'error: Failed to open email client',
    `copied ${text}`,
    'success: Message copied to clipboard! Paste it to share.',
  ]);
});

test.each(['facebook', 'whatsapp', 'text'] as const)('shows the code if copying fails too, for %s', async (way) => {
  expect(await share(way, { open: () => false, copy: refuse })).toEqual([
    `error: Unable to share. Please copy this code manually: ${code}`,
  ]);
});
