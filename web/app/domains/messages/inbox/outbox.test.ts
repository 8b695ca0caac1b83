import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../lib/api-error.ts';
import type { upload } from '../../../lib/upload.ts';
import type * as Outbox from './outbox.ts';
import { stubLocalStorage } from '../../../lib/testing/local-storage.ts';
import { until } from '../../../lib/testing/until.ts';

type SentMessage = { conversationId: string; text: string; clientId: string; pictures: number; progress: (share: number) => void };
type Answer = { sent: () => void; fail: (error: unknown) => void };

const stored = new Map<string, string>();
let requests: (SentMessage & Answer)[] = [];
let box: typeof Outbox;

/** A newly opened page in the same browser. */
async function openPage() {
  vi.resetModules();
  vi.doMock('../../../lib/upload.ts', () => ({
    upload: ((_call, input, progress) => {
      const { params, form, files } = input as unknown as {
        params: { id: string };
        form: { message: string; clientId: string };
        files: { pictures: readonly File[] };
      };
      return new Promise((resolve, reject) => {
        requests.push({
          conversationId: params.id,
          text: form.message,
          clientId: form.clientId,
          pictures: files.pictures.length,
          progress,
          sent: () => resolve({ clientId: form.clientId, text: form.message } as never),
          fail: reject,
        });
      });
    }) as typeof upload,
  }));
  box = await import('./outbox.ts');
}

beforeEach(async () => {
  stored.clear();
  stored.set('user', JSON.stringify({ _id: 'mere', token: 't' }));
  requests = [];
  stubLocalStorage(stored);
  await openPage();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.doUnmock('../../../lib/upload.ts');
});

const states = () => box.listOutbox().map(({ text, state }) => `${text} ${state}`);
const onSent = vi.fn<(conversationId: string, message: { text: string }) => void>();
const asking = async (count: number) => {
  await until(() => expect(requests).toHaveLength(count));
  const last = requests.at(-1);
  if (!last) throw new Error('nothing was sent');
  return last;
};

test('shows a message at once with its progress, and removes it when it is sent', async () => {
  onSent.mockClear();
  const listener = vi.fn<() => void>();
  box.onOutboxChange(listener);
  const posted = box.queueMessage('one', 'On my way', [new File(['x'], 'tap.jpg')], onSent);
  expect(states()).toEqual(['On my way sending']);
  const first = await asking(1);
  expect(first).toMatchObject({ conversationId: 'one', text: 'On my way', pictures: 1 });
  first.progress(0.5);
  expect(box.listOutbox()[0]?.share).toBe(0.5);
  first.sent();
  await posted;
  expect(box.listOutbox()).toEqual([]);
  expect(onSent).toHaveBeenCalledExactlyOnceWith('one', expect.objectContaining({ text: 'On my way' }));
  expect(listener).toHaveBeenCalled();
});

test('sends messages of a conversation in order, in parallel to others', async () => {
  void box.queueMessage('one', 'first', [], onSent);
  void box.queueMessage('one', 'second', [], onSent);
  void box.queueMessage('two', 'other', [], onSent);
  await asking(2);
  expect(requests.map(({ text }) => text)).toEqual(['first', 'other']);
  requests[0]?.sent();
  expect((await asking(3)).text).toBe('second');
});

test('keeps a failed message with its reason, and resends it under the same id', async () => {
  const posted = box.queueMessage('one', 'On my way', [], onSent);
  const first = await asking(1);
  first.fail(new ApiError(0, 'network', 'Network Error'));
  await posted;
  expect(states()).toEqual(['On my way failed']);
  expect(box.listOutbox()[0]?.problem).toBe('Failed to send message. Please try again.');
  const again = box.requeueMessage(first.clientId, onSent);
  expect(states()).toEqual(['On my way sending']);
  const second = await asking(2);
  expect(second.clientId).toBe(first.clientId);
  void box.requeueMessage(first.clientId, onSent);
  second.sent();
  await again;
  expect([box.listOutbox().length, requests.length]).toEqual([0, 2]);
});

test('sends a message after a failed one', async () => {
  const failing = box.queueMessage('one', 'first', [], onSent);
  const posted = box.queueMessage('one', 'second', [], onSent);
  (await asking(1)).fail(new ApiError(429, 'too_many_requests', 'Please wait.'));
  await failing;
  (await asking(2)).sent();
  await posted;
  expect(states()).toEqual(['first failed']);
});

test('restores unsent texts on the next page, without pictures', async () => {
  void box.queueMessage('one', 'On my way', [], onSent);
  void box.queueMessage('two', 'See this', [new File(['x'], 'tap.jpg')], onSent);
  await asking(2);
  await openPage();
  expect(box.listOutbox()).toMatchObject([{ conversationId: 'one', text: 'On my way', state: 'failed', clientId: requests[0]?.clientId }]);
});

test('removes failed messages, but none in progress', async () => {
  const posted = box.queueMessage('one', 'On my way', [], onSent);
  const first = await asking(1);
  box.discardMessage(first.clientId);
  expect(states()).toEqual(['On my way sending']);
  first.fail(new Error('broken'));
  await posted;
  box.discardMessage(first.clientId);
  expect(box.listOutbox()).toEqual([]);
  expect(stored.has('unsentMessages')).toBe(false);
});

test.each(['no json', '{}', '[{"text":"x"}]', 'null'])('ignores %s in the storage', async (text) => {
  stored.set('unsentMessages', text);
  await openPage();
  expect(box.listOutbox()).toEqual([]);
});
