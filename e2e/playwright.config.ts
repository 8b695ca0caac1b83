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
      // Saves a spare process, because all pages are of one site.
      '--disable-site-isolation-trials',
      // No page is open long enough for optimising its scripts to pay off.
      '--js-flags=--single-threaded --no-opt --no-maglev',
    ],
  },
  locale: 'en-NZ',
  timezoneId: 'Pacific/Auckland',
  // An element that is fading in has neither its colours nor its place yet.
  contextOptions: { reducedMotion: 'reduce' as const },
  trace: 'on-first-retry' as const,
  // Playwright's own default is no limit, so that a step that never ends would use up its whole test's time.
  actionTimeout: 60_000,
  navigationTimeout: 60_000,
};

export default defineConfig({
  testDir: 'src',
  testMatch: '*.e2e.ts',
  outputDir: '../.data/test-results/journeys',
  reporter: [['list'], ['json']],
  // Each mostly waits for pages; with more workers the site would be the bottleneck.
  workers: 3,
  fullyParallel: true,
  // A busy machine must not fail a run; journeys that needed a retry are listed as flaky.
  retries: 1,
  // Ten times what journeys take on a quiet machine, because other tests run beside them and some machines are slow.
  timeout: 300_000,
  expect: { timeout: 60_000, toPass: { timeout: 60_000 } },
  // What can differ with the width, or between hand and thumb, is walked on both: layout, menus, sheets, keyboard, touch. Whatever else a journey promises
  // is walked once, where its tag says; how its pages then stand is held in both widths all the same (`inEachWidth`).
  projects: [
    { name: 'desk', grepInvert: /@phone/, use: { ...shared, viewport: sizes.desk } },
    { name: 'phone', grepInvert: /@desk/, use: { ...shared, viewport: sizes.phone, isMobile: true, hasTouch: true } },
  ],
});
