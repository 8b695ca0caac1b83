import type { Page } from '@playwright/test';
import { expect } from './journey.ts';

/** No text may overflow the page sideways; shortened text must end with dots. */
export async function expectNothingCut(page: Page) {
  const cut = await page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const element = text.parentElement;
      if (!element || !text.textContent?.trim() || element.closest('script, style, noscript, option, svg, .visually-hidden')) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const standsOut = [...range.getClientRects()].some(({ left, right, width }) => width > 1 && (right > room + 1 || left < -1));
      if (!standsOut || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      let around: Element | null = element;
      const lets = (one: Element) => {
        const { overflowX, textOverflow } = getComputedStyle(one);
        return textOverflow === 'ellipsis' || overflowX === 'auto' || overflowX === 'scroll';
      };
      while (around && around !== document.body && !lets(around)) around = around.parentElement;
      if (around === document.body) found.push(text.textContent.trim().slice(0, 60));
    }
    return found;
  });
  expect(cut, `cut off at ${page.viewportSize()?.width} pixels on ${page.url()}`).toEqual([]);
}

/** A list with bullets must have room for them beside its text. */
export async function expectNoStrayBullet(page: Page) {
  const stray = await page.evaluate(() =>
    [...document.querySelectorAll('li')].flatMap((item) => {
      const { display, listStyleType } = getComputedStyle(item);
      const room = item.parentElement && Number.parseFloat(getComputedStyle(item.parentElement).paddingLeft);
      return display === 'list-item' && listStyleType !== 'none' && (room ?? 0) < 16 ? [item.textContent.slice(0, 60)] : [];
    }),
  );
  expect(stray, `bullets beside the page on ${page.url()}`).toEqual([]);
}

/** Buttons, links that look like them, fields and tabs must be full touch targets. */
export async function expectRoomForThumbs(page: Page) {
  const low = await page.evaluate(() => {
    const targets =
      'button, summary, select, textarea, [role=tab], a[class*="button" i], input:not([type=checkbox], [type=radio], [type=file])';
    return [...document.querySelectorAll(targets)].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
      // This one explains the mark on a picture, which a higher button would hide.
      if (name.endsWith('what does this mean?')) return [];
      const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width > 1 && height > 1;
      return isSeen && height < 43.5 ? [`${element.localName} “${name.slice(0, 40)}” is ${Math.round(height)} high`] : [];
    });
  });
  expect(low, `what a thumb presses on ${page.url()}`).toEqual([]);
}

/** iOS zooms in on a focused field whose text is smaller than 16 pixels, and stays so. */
export async function expectNoZoom(page: Page) {
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('select, textarea, input:not([type=checkbox], [type=radio], [type=file], [type=color], [type=range])')]
      .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => field.outerHTML.slice(0, 80)),
  );
  expect(small, `fields that make iOS zoom on ${page.url()}`).toEqual([]);
}
