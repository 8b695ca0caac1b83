import { expect, test, vi } from 'vitest';
import { preloads, smallPreloads } from './preloads.ts';

test('the files that a part needs are asked for together with it, and those that the page has asked for already not again', async () => {
  const { __vitePreload: preload } = (await import(`data:text/javascript,${encodeURIComponent(preloads)}`)) as {
    __vitePreload: (load: () => unknown, files?: string[]) => unknown;
  };
  const links: string[] = ['/assets/site.js'];
  vi.stubGlobal('document', {
    querySelector: (selector: string) => links.find((href) => selector === `link[href="${href}"]`) ?? null,
    createElement: (name: string) => ({ name }),
    head: { append: ({ name, rel, href }: Record<string, string>) => name === 'link' && rel === 'modulepreload' && links.push(href ?? '') },
  });
  const load = () => [...links];
  expect(preload(load, ['assets/form.js', 'assets/site.js', 'assets/form.js'])).toEqual(['/assets/site.js', '/assets/form.js']);
  expect(preload(load)).toEqual(['/assets/site.js', '/assets/form.js']);
  vi.unstubAllGlobals();
});

test('it stands in the place of Vite’s, and of nothing else', () => {
  const load = smallPreloads.load as (id: string) => unknown;
  expect(load('\0vite/preload-helper.js')).toMatchObject({ code: preloads });
  expect(load('/work/web/app/root.tsx')).toBeUndefined();
});
