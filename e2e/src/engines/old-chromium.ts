import type { Browser } from '@playwright/test';
import { withoutNewerApis } from '../old-browser.ts';
import { type Engine, phone } from './engine.ts';

/** Chromium at a phone's size without what is newer than the oldest promised browsers. */
export async function openOldChromium(browser: Browser, baseURL: string): Promise<Engine> {
  const context = await browser.newContext({ baseURL, viewport: phone, isMobile: true, hasTouch: true });
  const complaints: string[] = [];
  return {
    newTab: async () => {
      const page = await context.newPage();
      await withoutNewerApis(page);
      page.on('pageerror', (error) => complaints.push(String(error)));
      return {
        open: async (address) => void (await page.goto(address)),
        run: (body) => page.evaluate(`(() => { ${body} })()`),
        click: (selector) => page.locator(selector).first().click({ timeout: 10_000 }),
        type: (selector, text) => page.locator(selector).first().pressSequentially(text),
        press: (key) => page.keyboard.press(key),
        chooseFiles: (selector, paths) => page.locator(selector).first().setInputFiles(paths),
      };
    },
    complaints: async () => complaints,
    close: () => context.close(),
  };
}
