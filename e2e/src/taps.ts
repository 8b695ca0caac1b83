import type { Locator, Page } from '@playwright/test';
import { atRest, expect } from './journey.ts';
import type { photoFile } from './selling.ts';

/** Counts taps: one on a link, button or text field. */
export function countTaps() {
  let taps = 0;
  let typed = 0;
  return {
    async tap(target: Locator) {
      taps += 1;
      await target.tap();
    },
    async type(field: Locator, text: string) {
      taps += 1;
      typed += 1;
      await field.tap();
      await field.fill(text);
    },
    async pick(field: Locator, file: Awaited<ReturnType<typeof photoFile>>) {
      taps += 1;
      await field.setInputFiles([file]);
    },
    total: () => taps,
    fields: () => typed,
  };
}

/** From the landing page to the form of a message, as a stranger. */
export async function writeToSomebody(page: Page, tap: (target: Locator) => Promise<void>): Promise<void> {
  await page.goto('/');
  await tap(
    page
      .getByRole('main')
      .getByRole('link', { name: /^Plumbing/ })
      .first(),
  );
  await tap(
    page
      .getByRole('article')
      .first()
      .getByRole('link', { name: /^Read more/ }),
  );
  await tap(page.getByRole('link', { name: 'Message the seller' }).last());
  // The message survives the redirect only once the page's script has loaded.
  await expect(page).toHaveURL(/\/auth\/login/);
  await atRest(page);
}
