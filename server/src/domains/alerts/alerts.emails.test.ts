import { expect, test } from 'vitest';
import { alertEmail } from './alerts.emails.ts';

const end = (page: string) => ({ oneClick: 'https://handwise.example/1', page: `https://handwise.example/${page}` });
const reader = { to: 'mere@example.org', name: 'Mere Kīngi', appUrl: 'https://handwise.example', end: end('all') };
const news = (name: string, frequency: 'daily' | 'weekly') => ({
  name,
  query: 'q=tap&sort=best',
  frequency,
  listings: [],
  total: 3,
  end: end(name),
});

test('one alert says how often, how many more there are, and where all of them are, newest first', () => {
  const mail = alertEmail(reader, [news('Taps', 'weekly')], 3);
  expect(mail).toMatchObject({
    subject: '3 new listings: Taps',
    end: { ...end('all'), label: 'Pause this alert' },
    reason: 'You get this email on Mondays when something new matches your alert.',
  });
  expect(mail.blocks).toEqual([
    { kind: 'text', text: 'New for your alert: Taps' },
    { kind: 'links', rows: [] },
    { kind: 'text', text: 'And 3 more.' },
    { kind: 'button', label: 'See all, newest first', url: 'https://handwise.example/search?q=tap&sort=newest' },
  ]);
});

test('of several alerts each can be paused alone, and one of every day makes the email one of every day', () => {
  const mail = alertEmail(reader, [news('Taps', 'weekly'), news('Roofs', 'daily')], 1);
  expect(mail).toMatchObject({
    subject: '1 new listing: Taps, and 1 more alert',
    end: { label: 'Pause all of these alerts' },
    reason: 'You get this email on days when something new matches your alerts.',
  });
  const links = mail.blocks
    .flatMap((block) => (block.kind === 'links' ? block.rows : []))
    .filter(({ label }) => label === 'Pause this alert');
  expect(links.map(({ url }) => url)).toEqual(['https://handwise.example/Taps', 'https://handwise.example/Roofs']);
});
