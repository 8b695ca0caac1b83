import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { headScript } from './head-script.ts';

const root = document.documentElement;
const stored = new Map<string, string>();
let isDark = false;
let cookie = '';
/** What the script listens to, so that the next page begins without it. */
let listening: [EventTarget, string, EventListener, boolean][] = [];
let painted: () => void = () => {};

const marks = ['data-mantine-color-scheme', 'data-member', 'data-loading', 'data-failed'];

beforeEach(() => {
  vi.useFakeTimers();
  stored.clear();
  stubLocalStorage(stored);
  isDark = false;
  cookie = '';
  listening = [];
  for (const mark of marks) root.removeAttribute(mark);
  for (const target of [window, document] as EventTarget[]) {
    const add = target.addEventListener.bind(target);
    vi.spyOn(target, 'addEventListener').mockImplementation((type, listener, options) => {
      listening.push([target, type, listener as EventListener, Boolean(options)]);
      add(type, listener, options);
    });
  }
  vi.spyOn(document, 'cookie', 'get').mockImplementation(() => cookie);
  vi.stubGlobal('matchMedia', () => ({ matches: isDark }));
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(told: (list: object) => void) {
        painted = () => told({ getEntriesByName: (name: string) => (name === 'first-contentful-paint' ? [{}] : []) });
      }
      observe() {}
    },
  );
  Object.defineProperty(HTMLScriptElement.prototype, 'noModule', { configurable: true, value: false });
});
afterEach(() => {
  for (const [target, type, listener, options] of listening) target.removeEventListener(type, listener, options);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  Reflect.deleteProperty(HTMLScriptElement.prototype, 'noModule');
  document.body.innerHTML = '';
  document.head.innerHTML = '';
});

/** A page with this body whose head script has run. */
function open(body = '') {
  // oxlint-disable-next-line typescript/no-implied-eval -- the script's text is our own
  new Function(headScript)();
  document.head.innerHTML = '<link rel="after-paint" href="/a.js">';
  document.body.innerHTML = `${body}<script type="after-paint">import "/a.js"</script>`;
  document.dispatchEvent(new Event('DOMContentLoaded'));
}
const on = (selector: string) => document.querySelector(selector) as HTMLElement;
const user = JSON.stringify({ _id: 'mere', token: 'token-of-mere' });

describe('before the first paint', () => {
  test.each([
    ['the system’s light', null, false, 'light'],
    ['the system’s dark', null, true, 'dark'],
    ['dark by choice', 'dark', false, 'dark'],
    ['light by choice', 'light', true, 'light'],
    ['the system’s, for a choice that is none', 'purple', true, 'dark'],
  ])('the colours are %s', (_, choice, dark, expected) => {
    if (choice) stored.set('mantine-color-scheme-value', choice);
    isDark = dark;
    open();
    expect(root.getAttribute('data-mantine-color-scheme')).toBe(expected);
  });

  test.each([
    ['a stored user', user, '', true],
    ['the cookie of a session that the browser has deleted', null, 'x=1; signed-in=1', true],
    ['nothing', null, 'x=1', false],
    ['a user without a token', '{"_id":"mere"}', '', false],
    ['a stored text that cannot be read', '{', '', false],
  ])('with %s the page is or is not a member’s', (_, text, cookies, isMember) => {
    if (text) stored.set('user', text);
    cookie = cookies;
    open();
    expect(root.hasAttribute('data-member')).toBe(isMember);
    expect(root.getAttribute('data-mantine-color-scheme')).toBe('light');
  });

  test('without storage the page opens for a visitor', () => {
    vi.stubGlobal('localStorage', undefined);
    open();
    expect([root.getAttribute('data-mantine-color-scheme'), root.hasAttribute('data-member')]).toEqual(['light', false]);
  });
});

describe('the scripts of a page', () => {
  const areEnabled = () => document.querySelectorAll('link[rel=modulepreload]').length === 1;

  test('start at the first paint for a visitor', () => {
    open();
    vi.advanceTimersByTime(2999);
    expect(areEnabled()).toBe(false);
    painted();
    vi.advanceTimersByTime(0);
    expect(areEnabled()).toBe(true);
  });

  test('start after three seconds if nothing is painted', () => {
    open();
    vi.advanceTimersByTime(3000);
    expect(areEnabled()).toBe(true);
  });

  test('start at once for a member', () => {
    stored.set('user', user);
    open();
    expect(areEnabled()).toBe(true);
  });

  test('start at once in a tab that is not shown, and when one is shown or hidden', () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    open();
    expect(areEnabled()).toBe(true);
    hidden.mockReturnValue(false);
    open();
    expect(areEnabled()).toBe(false);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(areEnabled()).toBe(true);
  });
});

const form = '<form action="/search"><input name="q" value="plumber"><button>Search</button></form>';
const parts =
  `${form}<button type="button" id="heart"><b>Save</b></button><button type="button" id="menu" popovertarget="x">Menu</button>` +
  '<select id="order"><option value="best">Best</option><option value="new">New</option></select>' +
  '<input type="checkbox" id="open"><input type="radio" name="k" id="far">';

/** The page's script starts: it hears from now on what is pressed, chosen and sent. */
function startPage() {
  const heard: string[] = [];
  const note = ({ type, target }: Event) => {
    const { id, value } = target as HTMLInputElement;
    heard.push(`${type} ${id || (target as Element).closest('[id]')?.id || 'form'} ${type === 'change' ? value : ''}`.trim());
  };
  for (const type of ['click', 'change']) document.body.addEventListener(type, note);
  vi.spyOn(HTMLFormElement.prototype, 'requestSubmit').mockImplementation(() => void heard.push('sent by the page'));
  window.started?.();
  vi.advanceTimersByTime(0);
  for (const type of ['click', 'change']) document.body.removeEventListener(type, note);
  return heard;
}
const send = () => !on('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
const press = (selector: string) => on(selector).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));

describe('until the page has started', () => {
  test('a form that is sent waits, under the loading line, and is sent once the page has started', () => {
    open(parts);
    expect([send(), root.hasAttribute('data-loading')]).toEqual([true, true]);
    expect(startPage()).toEqual(['sent by the page']);
    expect(root.hasAttribute('data-loading')).toBe(false);
    // From now on it is the page's.
    expect(send()).toBe(false);
  });

  test('presses are kept, each button’s once, and menus, which need no script, are not', () => {
    open(parts);
    for (const pressed of ['#heart b', '#heart', '#menu']) press(pressed);
    expect([...document.querySelectorAll('[data-held]')].map(({ id }) => id)).toEqual(['heart']);
    expect(startPage()).toEqual(['click heart']);
    expect(on('#heart').hasAttribute('data-held')).toBe(false);
    press('#heart');
    expect(on('#heart').hasAttribute('data-held')).toBe(false);
  });

  test('choices are given to the page as they were last', () => {
    open(parts);
    const choose = (selector: string, change: object) => {
      Object.assign(on(selector), change);
      on(selector).dispatchEvent(new Event('change', { bubbles: true }));
    };
    choose('#order', { value: 'new' });
    choose('#open', { checked: true });
    // React writes the values that it knows.
    Object.assign(on('#order'), { value: 'best' });
    const heard = startPage();
    expect(heard).toContain('change order new');
    expect(heard.some((one) => one.startsWith('click open'))).toBe(true);
    expect(on('#open')).toHaveProperty('checked', true);
  });
});

describe('a script that fails before that', () => {
  const sentByBrowser = () => vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => {});

  test('gives the page back to the browser: the held form is sent, nothing is held any more, and the page says so', () => {
    open(parts);
    const submit = sentByBrowser();
    send();
    press('#heart');
    dispatchEvent(new Event('unhandledrejection'));
    expect(submit).toHaveBeenCalledOnce();
    expect([root.getAttribute('data-failed'), root.hasAttribute('data-loading')]).toEqual(['', false]);
    expect(document.querySelector('[data-held]')).toBeNull();
    expect(send()).toBe(false);
  });

  test('takes a member for a visitor until the page starts after all', () => {
    stored.set('user', user);
    open(parts);
    sentByBrowser();
    window.startFailed?.();
    expect([root.getAttribute('data-failed'), root.hasAttribute('data-member')]).toEqual(['member', false]);
    startPage();
    expect([root.hasAttribute('data-failed'), root.hasAttribute('data-member')]).toEqual([false, true]);
  });

  test('does not make a member of a visitor whose page starts after all', () => {
    open(parts);
    window.startFailed?.();
    startPage();
    expect([root.hasAttribute('data-failed'), root.hasAttribute('data-member')]).toEqual([false, false]);
  });

  test('is one of a script, not a picture that is missing', () => {
    open(`${parts}<img id="photo"><script id="late" type="text/plain"></script>`);
    on('#photo').dispatchEvent(new Event('error'));
    expect(root.hasAttribute('data-failed')).toBe(false);
    on('#late').dispatchEvent(new Event('error'));
    expect(root.hasAttribute('data-failed')).toBe(true);
  });

  test('changes nothing once the page has started', () => {
    open(parts);
    startPage();
    dispatchEvent(new Event('unhandledrejection'));
    dispatchEvent(new Event('error'));
    expect(root.hasAttribute('data-failed')).toBe(false);
  });
});

describe('the loading line', () => {
  const links =
    '<a id="next" href="/services"><b>Services</b></a><a id="same" href="/home?x=1#top">Here</a><a id="tab" href="/services" target="_blank">Tab</a>' +
    '<a id="file" href="/api/listing/1/reviews.json">File</a><a id="away" href="https://elsewhere.example/">Away</a>';
  const isLoading = () => root.hasAttribute('data-loading');
  const click = (selector: string, keys: MouseEventInit = {}, isRouted = false) => {
    const route = (event: Event) => event.preventDefault();
    // Before happy-dom's links, which follow a press on what is in them although it is prevented later.
    if (isRouted) document.addEventListener('click', route, true);
    on(selector).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...keys }));
    document.removeEventListener('click', route, true);
    vi.advanceTimersByTime(0);
  };
  beforeEach(() => {
    history.replaceState(null, '', 'http://localhost:3000/home?x=1');
    open(links);
  });

  test('is drawn from the press on a link until the next page shows, at most eight seconds if the router loads it', () => {
    click('#next b', {}, true);
    expect(isLoading()).toBe(true);
    vi.advanceTimersByTime(7999);
    expect(isLoading()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(isLoading()).toBe(false);
    click('#next', {}, true);
    dispatchEvent(new Event('pageshow'));
    expect(isLoading()).toBe(false);
  });

  test.each([
    ['to the same page', '#same', {}],
    ['into a new tab', '#tab', {}],
    ['to a file', '#file', {}],
    ['to another site', '#away', {}],
    ['with Ctrl', '#next', { ctrlKey: true }],
    ['with Shift', '#next', { shiftKey: true }],
    ['with Cmd', '#next', { metaKey: true }],
  ])('is not drawn for a link %s', (_, selector, keys) => {
    click(selector, keys, true);
    expect(isLoading()).toBe(false);
  });

  test('is not drawn if the router is there at once', () => {
    const arrive = () => history.pushState(null, '', '/services');
    document.body.addEventListener('click', arrive, { once: true });
    click('#next', {}, true);
    expect(isLoading()).toBe(false);
  });
});
