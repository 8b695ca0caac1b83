import pg from 'pg';
import { expect, test } from 'vitest';
import { addDays, getClock, getMoment, siteTimeZone } from '@handwise/contract/dates';
import { fillDemoData } from '@handwise/demo/demo-data';
import { emailWeeklyAnalytics } from '@handwise/server/domains/analytics/analytics.weekly';
import { testApp } from './testing/app.ts';

const { db, outbox, parts } = await testApp();

test('a demo that has just been filled emails nobody the week before it', async () => {
  const client = new pg.Client({ connectionString: parts.databaseUrl });
  await client.connect();
  await fillDemoData({ client, filesDir: '', hasPictures: false });
  await client.end();
  const { day, weekday } = getClock(new Date(), siteTimeZone);
  // Tuesday of this week, when both countries are told.
  parts.clock.set(getMoment(addDays(day, 2 - (weekday || 7)), '12:00', siteTimeZone));
  const countWeekly = async () => (await outbox.mails()).filter(({ subject }) => subject.startsWith('Your week')).length;
  await emailWeeklyAnalytics(parts.context);
  expect(await countWeekly()).toBe(0);
  await db.deleteFrom('weekly_figures').execute();
  await emailWeeklyAnalytics(parts.context);
  expect(await countWeekly()).toBeGreaterThan(100);
});
