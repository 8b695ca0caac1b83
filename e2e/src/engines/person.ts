import { expect } from '@playwright/test';
import type { Key, Tab } from './engine.ts';

// Written for the oldest browsers: no `checkVisibility`.
const helpers = `
  const isShown = (el) => el.getClientRects().length > 0 && getComputedStyle(el).visibility !== 'hidden';
  const labelled = (el) => el.getAttribute('aria-labelledby')?.split(' ').map((id) => document.getElementById(id)?.textContent).join(' ');
  const nameOf = (el) =>
    (el.getAttribute('aria-label') ?? labelled(el) ?? el.labels?.[0]?.textContent ?? el.textContent ?? '').replace(/\\s+/g, ' ').trim();
  const named = (css, name) => [...document.querySelectorAll(css)].find((el) => nameOf(el).startsWith(name) && (isShown(el) || el.type === 'file'));
`;
const buttons = 'a, button, summary, [role=button], label';
const fields = 'input, textarea, select';
const quoted = (text: string) => JSON.stringify(text);
// A long wait, because the machine may be busy; only a failure meets it.
const patience = { timeout: 120_000, intervals: [50, 100, 250] };

/** Somebody at a tab, who finds things by what they are called. */
export const personAt = (tab: Tab, base: string) => {
  const until = (what: string, body: string) =>
    expect.poll(() => tab.run<boolean>(`${helpers} ${body}`).catch(() => false), { ...patience, message: what }).toBeTruthy();
  /** Marks the first visible element whose name begins with this, and returns a selector of the mark. */
  const find = async (name: string, css: string) => {
    await until(
      `${name} in ${css}`,
      `const el = named(${quoted(css)}, ${quoted(name)}); if (!el) return false;
       document.querySelectorAll('[data-found]').forEach((one) => one.removeAttribute('data-found')); el.setAttribute('data-found', ''); return true`,
    );
    return '[data-found]';
  };
  return {
    open: async (path: string) => {
      await tab.open(base + path);
      await until('a page with its script', `return Object.keys(document.querySelector('main')).some((key) => key.startsWith('__react'))`);
    },
    // Found again if the page has replaced it meanwhile.
    press: (name: string, css = buttons) => expect(async () => tab.click(await find(name, css))).toPass(patience),
    key: (key: Key) => tab.press(key),
    fill: async (name: string, text: string) => {
      const field = await find(name, fields);
      await tab.run(`const el = document.querySelector('${field}'); el.focus(); el.select?.()`);
      await tab.type(field, text);
      await until(
        `${text} in ${name}`,
        `return document.querySelector('${field}').value.replace(/\\D/g, '').endsWith(${quoted(text.replace(/\D/g, ''))})`,
      );
    },
    choose: async (name: string, option: string) => {
      const field = await find(name, 'select');
      await until(
        `${option} of ${name}`,
        `const el = document.querySelector('${field}'); const one = [...el.options].find((o) => o.textContent.trim().startsWith(${quoted(option)}));
         if (!one || el.disabled) return false; el.value = one.value; el.dispatchEvent(new Event('change', { bubbles: true })); return el.value === one.value`,
      );
    },
    chooseFiles: async (name: string, paths: string[]) => tab.chooseFiles(await find(name, 'input[type=file]'), paths),
    sees: (text: string, css = 'body') =>
      until(
        `“${text}” in ${css}`,
        `return [...document.querySelectorAll(${quoted(css)})].some((el) => isShown(el) && el.textContent.includes(${quoted(text)}))`,
      ),
    count: (css: string) => tab.run<number>(`${helpers} return [...document.querySelectorAll(${quoted(css)})].filter(isShown).length`),
    until,
    isAt: (path: RegExp) => tab.run<boolean>(`return ${path}.test(location.pathname + location.search)`),
    at: (path: RegExp) => until(`the address ${path}`, `return ${path}.test(location.pathname + location.search)`),
    signIn: async (user: object) => {
      await tab.open(`${base}/help`);
      await tab.run(`localStorage.setItem('user', ${quoted(JSON.stringify(user))})`);
    },
    /** Ends the session as the menu does, at the server and in this browser. */
    signOut: async () => {
      // A page of the site would notice it, and go to the sign-in while another page is opened.
      await tab.open(`${base}/robots.txt`);
      await tab.run(
        `const { token } = JSON.parse(localStorage.getItem('user'));
         fetch('/api/auth/logout', { method: 'POST', headers: { authorization: 'Bearer ' + token } })
           .then(({ ok }) => { localStorage.clear(); window.signedOut = ok; })`,
      );
      await until('the end of the session', 'return window.signedOut === true');
    },
    expectNoSidewaysScroll: async () =>
      expect(await tab.run<number>('return document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0),
  };
};
export type Person = ReturnType<typeof personAt>;
