import { defineConfig } from '@playwright/test';
import { sizes } from './src/sizes.ts';

const executablePath = process.env['CHROMIUM_PATH'];
const shared = {
  baseURL: process.env['BASE_URL'] ?? 'http://localhost:3000',
  launchOptions: {
    ...(executablePath && { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      // Else the browser keeps a process ready for a site that no page shows: each page here is of one site.
      '--disable-site-isolation-trials',
      // No page is open long enough to earn what optimising its scripts costs, nor a second thread to do so.
      '--js-flags=--single-threaded --no-opt --no-maglev',
    ],
  },
  locale: 'en-NZ',
  timezoneId: 'Pacific/Auckland',
  // What is half faded in has neither its colours nor its place yet.
  contextOptions: { reducedMotion: 'reduce' as const },
  trace: 'on-first-retry' as const,
};

export default defineConfig({
  testDir: 'src',
  testMatch: '*.e2e.ts',
  outputDir: '../.data/test-results/journeys',
  reporter: [['list'], ['json']],
  // Each waits for pages more than it works. With more of them the site would be what they wait for.
  workers: 3,
  fullyParallel: true,
  // A machine that is busy with something else must not stop a change from landing; what needed it is listed as flaky.
  retries: 1,
  // Only so that what waits for what never comes ends some time: the other tests run beside the journeys.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // What can differ with the width, or between hand and thumb, is walked on both: layout, menus, sheets, keyboard, touch. Whatever else a journey promises
  // is walked once, where its tag says; how its pages then stand is held in both widths all the same (`inEachWidth`).
  projects: [
    { name: 'desk', grepInvert: /@phone/, use: { ...shared, viewport: sizes.desk } },
    { name: 'phone', grepInvert: /@desk/, use: { ...shared, viewport: sizes.phone, isMobile: true, hasTouch: true } },
  ],
});
