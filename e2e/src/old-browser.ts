import type { Page } from '@playwright/test';
import { newerApis } from '../../web/browser-support.ts';

/**
 * Makes a page's browser as old as the oldest that the site promises to run in: deletes what is newer before the page's first script. Chromium goes on
 * hiding elements with a `popover`, so a rule shows those that the polyfill opens.
 */
export const withoutNewerApis = (page: Page) =>
  page.addInitScript((newer) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':where([popover].\\:popover-open) { display: block }');
    document.adoptedStyleSheets = [sheet];
    for (const { owner, name, isStatic } of newer.members) {
      const holder: unknown = Reflect.get(globalThis, owner);
      const target: unknown = isStatic || typeof holder !== 'function' ? holder : holder.prototype;
      if (Object(target) === target) Reflect.deleteProperty(target as object, name);
    }
    for (const name of newer.interfaces) Reflect.deleteProperty(globalThis, name);
  }, newerApis);
