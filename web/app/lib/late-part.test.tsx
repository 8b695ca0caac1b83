import { renderToReadableStream } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const Shown = ({ words }: { words: string }) => <p>{words}</p>;

/** Renders a page with a late part, on the server or in a browser with this stored user. */
async function render({
  isServer,
  user = null,
  isGone = false,
  isOnline = true,
}: {
  isServer: boolean;
  user?: string | null;
  isGone?: boolean;
  isOnline?: boolean;
}) {
  vi.resetModules();
  vi.stubEnv('SSR', isServer);
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'user' ? user : null) });
  vi.stubGlobal('document', { documentElement: { toggleAttribute: () => {} } });
  vi.stubGlobal('navigator', { onLine: isOnline });
  const listeners = new Map<string, () => void>();
  vi.stubGlobal('addEventListener', (type: string, listener: () => void) => listeners.get(type) ?? listeners.set(type, listener));
  const { latePart } = await import('./late-part.tsx');
  const load = vi.fn<() => Promise<typeof Shown>>(() => (isGone ? Promise.reject(new Error('gone')) : Promise.resolve(Shown)));
  const Part = latePart(load);
  const stream = await renderToReadableStream(
    <main>
      <Part words="Reviews" />
    </main>,
  );
  return { load, html: () => new Response(stream).text(), sign: (type: string) => listeners.get(type)?.(), signs: [...listeners.keys()] };
}

test('renders a late part in its place on the server', async () => {
  const { html } = await render({ isServer: true });
  expect(await html()).toContain('<div class="late" data-late=""><p>Reviews</p></div>');
});

test.each(['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'scroll', 'popstate', 'click'])(
  "loads it at a visitor's first %s, and not before",
  async (type) => {
    const { load, sign, html } = await render({ isServer: false });
    // All pending promises have settled.
    await new Promise(setImmediate);
    expect(load).not.toHaveBeenCalled();
    sign(type);
    expect(await html()).toContain('<p>Reviews</p>');
    expect(load).toHaveBeenCalledOnce();
  },
);

test('loads it at once for members', async () => {
  const { load, html } = await render({ isServer: false, user: JSON.stringify({ token: 't1', username: 'mere' }) });
  expect(await html()).toContain('<p>Reviews</p>');
  expect(load).toHaveBeenCalledOnce();
});

test("keeps the server's HTML if the file is gone", async () => {
  const { html, sign } = await render({ isServer: false, isGone: true });
  sign('scroll');
  expect(await html()).toContain('<div class="late"></div>');
});

test('waits for a connection before loading', async () => {
  const { load, html, sign } = await render({ isServer: false, isOnline: false });
  sign('scroll');
  await new Promise(setImmediate);
  expect(load).not.toHaveBeenCalled();
  sign('online');
  expect(await html()).toContain('<p>Reviews</p>');
});
