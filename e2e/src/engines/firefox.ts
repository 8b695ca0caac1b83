import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, endGroup, isInstalled, keys, phone, type Tab } from './engine.ts';

const firefoxPath = '/usr/bin/firefox-esr';

export const hasFirefox = () => isInstalled(firefoxPath);

// It would look for updates and for the network's sign-in page, which no test needs.
const preferences = {
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'ui.prefersReducedMotion': 1,
};

/** Firefox over WebDriver BiDi, which needs neither a screen nor a driver. */
export async function openFirefox(): Promise<Engine> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const child = spawn(firefoxPath, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    // The sandbox needs namespaces that root in a container lacks; the only pages opened are our own.
    env: { ...process.env, TZ: 'Pacific/Auckland', MOZ_DISABLE_CONTENT_SANDBOX: '1', HOME: profile },
  });
  const address = await new Promise<string>((done, fail) => {
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text += String(chunk);
      const [found] = /ws:\/\/[\d.:]+/.exec(text) ?? [];
      if (found) done(found);
    });
    child.once('exit', () => fail(new Error(`Firefox ended: ${text}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((done, fail) => {
    socket.addEventListener('open', done);
    socket.addEventListener('error', fail);
  });
  const waiting = new Map<number, { resolve: (value: any) => void; reject: (error: Error) => void }>();
  const complaints: string[] = [];
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.method === 'log.entryAdded' && message.params.level === 'error') complaints.push(message.params.text);
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'error') call?.reject(new Error(`${message.error}: ${message.message}`));
    else call?.resolve(message.result);
  });
  const send = (method: string, params: object = {}) => {
    lastId += 1;
    const { promise, resolve, reject } = Promise.withResolvers<any>();
    waiting.set(lastId, { resolve, reject });
    socket.send(JSON.stringify({ id: lastId, method, params }));
    return promise;
  };
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const {
    contexts: [first],
  } = await send('browsingContext.getTree');
  let isFirst = true;

  const tabOf = async (context: string): Promise<Tab> => {
    await send('browsingContext.setViewport', { context, viewport: phone });
    const run = async (body: string) => {
      const expression = `JSON.stringify((() => { ${body} })() ?? null)`;
      const { result, exceptionDetails } = await send('script.evaluate', { expression, target: { context }, awaitPromise: false });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return JSON.parse(result.value);
    };
    const find = async (selector: string) => {
      const locator = { type: 'css', value: selector };
      const {
        nodes: [node],
      } = await send('browsingContext.locateNodes', { context, locator, maxNodeCount: 1 });
      if (!node) throw new Error(`no element ${selector}`);
      return { sharedId: node.sharedId };
    };
    const click = async (selector: string) => {
      await run(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'center', behavior: 'instant' })`);
      const origin = { type: 'element', element: await find(selector) };
      const actions = [
        { type: 'pointerMove', x: 0, y: 0, origin },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] });
    };
    const press = async (text: string) => {
      const actions = [...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })));
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] });
    };
    return {
      open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
      run,
      click,
      type: async (selector, text) => {
        await run(`document.querySelector(${JSON.stringify(selector)}).focus()`);
        await press(text);
      },
      press: (key) => press(keys[key]),
      chooseFiles: async (selector, paths) => void (await send('input.setFiles', { context, element: await find(selector), files: paths })),
    };
  };
  return {
    newTab: async () => {
      if (isFirst) {
        isFirst = false;
        return tabOf(first.context);
      }
      const { context } = await send('browsingContext.create', { type: 'tab' });
      return tabOf(context);
    },
    complaints: async () => complaints,
    close: async () => {
      await send('browser.close').catch(() => undefined);
      socket.close();
      await endGroup(child);
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
