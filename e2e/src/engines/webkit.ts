import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Engine, endGroup, isInstalled, keys, phone, type Tab } from './engine.ts';

const driverPath = '/usr/bin/WebKitWebDriver';
const screenPath = '/usr/bin/Xvfb';
const [browserPath] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser');

export const hasWebKit = () => isInstalled(driverPath) && isInstalled(screenPath) && browserPath !== undefined;

// Pages get it before anything is pressed; WebDriver has no scripts that run earlier.
const listen =
  'if (!window.heard) { window.heard = []; addEventListener("error", (e) => heard.push(String(e.message)));' +
  'addEventListener("unhandledrejection", (e) => heard.push(String(e.reason))); } return true';

const freePort = () =>
  new Promise<number>((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

/** WebKitGTK with its own driver, over WebDriver. */
export async function openWebKit(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'webkit-'));
  // The browser's toolbar would keep its window wider than a phone.
  mkdirSync(join(folder, 'gtk-3.0'));
  writeFileSync(join(folder, 'gtk-3.0/gtk.css'), '* { min-width: 0; min-height: 0; padding: 0; margin: 0; font-size: 5px; }');
  const screen = spawn(screenPath, ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const [display] = (await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
  const port = await freePort();
  const driver = spawn(driverPath, ['-p', String(port)], {
    stdio: 'ignore',
    detached: true,
    env: {
      ...process.env,
      DISPLAY: `:${String(display).trim()}`,
      GDK_BACKEND: 'x11',
      NO_AT_BRIDGE: '1',
      XDG_CONFIG_HOME: folder,
      TZ: 'Pacific/Auckland',
      LC_ALL: 'C.UTF-8',
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      // The sandbox needs namespaces that root in a container lacks; the only pages opened are our own.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  });
  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, body: object = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(method === 'POST' && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: any };
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  for (let tries = 0; ; tries += 1) {
    const ready = await send('GET', '/status').then(
      () => true,
      () => false,
    );
    if (ready) break;
    if (tries > 600) throw new Error('WebKit’s driver does not answer');
    await pause(100);
  }
  const browserOptions = { binary: browserPath, args: ['--automation'] };
  const { sessionId } = await send('POST', '/session', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': browserOptions } } });
  const session = `/session/${sessionId}`;
  await send('POST', `${session}/window/rect`, phone);
  let current = await send('GET', `${session}/window`);
  let isFirst = true;
  const complaints: string[] = [];

  const tabOf = (handle: string): Tab => {
    const within = async <Result>(work: () => Promise<Result>) => {
      if (current !== handle) await send('POST', `${session}/window`, { handle });
      current = handle;
      return work();
    };
    const script = (body: string) => send('POST', `${session}/execute/sync`, { script: body, args: [] });
    const find = async (selector: string) =>
      String(Object.values(await send('POST', `${session}/element`, { using: 'css selector', value: selector }))[0]);
    return {
      open: (address) =>
        within(async () => {
          complaints.push(...((await script('return window.heard ?? []')) as string[]));
          await send('POST', `${session}/url`, { url: address });
          await script(listen);
        }),
      run: (body) => within(() => script(body)),
      click: (selector) => within(async () => send('POST', `${session}/element/${await find(selector)}/click`)),
      type: (selector, text) => within(async () => send('POST', `${session}/element/${await find(selector)}/value`, { text })),
      press: (key) =>
        within(() => {
          const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: keys[key] }));
          return send('POST', `${session}/actions`, { actions: [{ type: 'key', id: 'keys', actions }] });
        }),
      chooseFiles: (selector, paths) =>
        within(async () => send('POST', `${session}/element/${await find(selector)}/value`, { text: paths.join('\n') })),
    };
  };
  return {
    newTab: async () => {
      if (isFirst) {
        isFirst = false;
        return tabOf(current);
      }
      const { handle } = await send('POST', `${session}/window/new`, { type: 'tab' });
      return tabOf(handle);
    },
    complaints: async () => [
      ...complaints,
      ...((await send('POST', `${session}/execute/sync`, { script: 'return window.heard ?? []', args: [] })) as string[]),
    ],
    close: async () => {
      await send('DELETE', session).catch(() => undefined);
      await Promise.all([endGroup(driver), endGroup(screen)]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
