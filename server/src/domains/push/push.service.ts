import { createECDH } from 'node:crypto';
import { dayMs } from '@handwise/contract/dates';
import { maxPushDevices, type PushDevice } from '@handwise/contract/push/calls';
import { site } from '@handwise/contract/site/site';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { PermanentError } from '../../kit/jobs/attempt.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { ensureSigningKey } from '../../kit/secrets/tokens.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import type { PushContext } from './push.context.ts';
import { EndpointTimeoutError, hasPrivateAddress, parseEndpoint, postToEndpoint, PrivateAddressError } from './push.endpoint.ts';
import * as queries from './push.queries.ts';

export type { PushContext } from './push.context.ts';

export const { listUsersWithDevices } = queries;

export type Notification = {
  /** What every onlooker may read. */
  title: string;
  /** What is shown on devices whose user allows it. */
  privateText?: { title: string; body: string };
  /** The page that a click opens. */
  path: string;
  /** A later notification with the same tag replaces this one. */
  tag: string;
};

type Delivery = { deviceId: string; notification: Notification };
// After an hour and a half, news of a message is late: the email has been sent. One at a time per user, because endpoints are theirs to choose.
const deliverPushJob = defineJob<Delivery>('push.deliver-notification', {
  retryLimit: 8,
  retryDelaySeconds: 15,
  expireSeconds: 60,
  concurrency: 10,
  perGroup: 1,
});

/** Sends a notification to all devices of a user, as part of the transaction that causes it. `compose` is called if there are any. */
export async function sendPush(
  tx: Tx,
  { jobs }: Pick<Context, 'jobs'>,
  userId: string,
  compose: () => Promise<Notification> | Notification,
): Promise<void> {
  const deviceIds = await queries.listDeviceIds(tx, userId);
  if (deviceIds.length === 0) return;
  const notification = await compose();
  for (const deviceId of deviceIds) await jobs.send(tx, deliverPushJob, { deviceId, notification }, { group: userId });
}

/** Sends one notification to all devices of many users; the deliveries wait behind those of messages. */
export async function sendPushToMany(
  tx: Tx,
  { jobs }: Pick<Context, 'jobs'>,
  userIds: readonly string[],
  notification: Notification,
): Promise<void> {
  const devices = await queries.listDevicesOfUsers(tx, userIds);
  const owners = new Map(devices.map((device) => [device.id, device.user_id]));
  await jobs.sendAll(
    tx,
    deliverPushJob,
    devices.map(({ id }) => ({ deviceId: id, notification })),
    ({ deviceId }) => owners.get(deviceId) ?? deviceId,
  );
}

/** The VAPID keys, made from a secret that all servers share: 32 random bytes are a private key of P-256. */
async function loadKeys(db: Reader) {
  const secret = await ensureSigningKey(db, 'push');
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(secret);
  return { publicKey: curve.getPublicKey('base64url'), privateKey: secret.toString('base64url') };
}

export const getPublicKey = async (db: Reader): Promise<string> => (await loadKeys(db)).publicKey;

const toDevice = (row: queries.DeviceRow, sessionId: string | null): PushDevice => ({
  _id: row.id,
  browser: row.browser,
  showsText: row.shows_text,
  current: row.session_id === sessionId,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

/** Throws `push_endpoint_refused`, `too_many_push_devices`. */
export async function addDevice(
  { db, clock, pushSandboxOrigin }: PushContext,
  viewer: Viewer,
  { endpoint, keys }: Subscription,
  browser: string,
): Promise<PushDevice> {
  const url = parseEndpoint(endpoint, pushSandboxOrigin);
  if (!url || !isPublicKey(keys.p256dh)) throw new AppError('push_endpoint_refused');
  if (url.origin !== pushSandboxOrigin && (await hasPrivateAddress(url))) throw new AppError('push_endpoint_refused');
  return db.transaction().execute(async (tx) => {
    // The lock makes the limit exact.
    await lockUser(tx, viewer.id);
    const known = await queries.findByEndpoint(tx, endpoint);
    // Only the browser itself knows the keys, so no one can take over an endpoint that they have merely seen.
    if (known && known.user_id !== viewer.id && (known.p256dh !== keys.p256dh || known.auth !== keys.auth)) {
      throw new AppError('push_endpoint_refused');
    }
    const showsText = await queries.deleteReplaced(tx, viewer.id, viewer.sessionId, endpoint);
    if ((await queries.listDeviceIds(tx, viewer.id)).length >= maxPushDevices) throw new AppError('too_many_push_devices');
    const device = {
      user_id: viewer.id,
      session_id: viewer.sessionId,
      endpoint,
      ...keys,
      browser,
      shows_text: showsText,
      created_at: clock.now(),
    };
    return toDevice(await queries.insertDevice(tx, device), viewer.sessionId);
  });
}

function isPublicKey(text: string): boolean {
  try {
    const curve = createECDH('prime256v1');
    curve.generateKeys();
    return curve.computeSecret(Buffer.from(text, 'base64url')).length === 32;
  } catch {
    return false;
  }
}

export const listDevices = async (db: Reader, viewer: Viewer): Promise<PushDevice[]> =>
  (await queries.findDevices(db, viewer.id)).map((row) => toDevice(row, viewer.sessionId));

export async function updateDevice(db: Reader, viewer: Viewer, id: string, showsText: boolean): Promise<PushDevice> {
  const row = await queries.setShowsText(db, viewer.id, id, showsText);
  if (!row) throw new AppError('push_subscription_not_found');
  return toDevice(row, viewer.sessionId);
}

export async function deleteDevice(db: Reader, viewer: Viewer, id: string): Promise<void> {
  if (!(await queries.removeDevice(db, id, viewer.id))) throw new AppError('push_subscription_not_found');
}

const secondsToLive = 24 * 60 * 60;
// Longer texts would not fit into a push message, of which 4,096 bytes are guaranteed.
const longestText = 200;
const clip = (text: string) => (text.length > longestText ? `${[...text].slice(0, longestText).join('')}…` : text);

/** Delivers to one device. It may run twice; the second notification then replaces the first. */
async function deliverPush(context: PushContext, { deviceId, notification }: Delivery): Promise<void> {
  const { db, clock, appUrl, pushSandboxOrigin } = context;
  const receiver = await queries.findReceiver(db, deviceId, clock.now());
  if (!receiver) return;
  const url = parseEndpoint(receiver.endpoint, pushSandboxOrigin);
  const { title, privateText, path, tag } = notification;
  const shown =
    receiver.shows_text && privateText ? { title: privateText.title, body: clip(privateText.body) } : { title, body: site.name };
  const status = url ? await post(context, url, receiver, JSON.stringify({ ...shown, path, tag })) : 'rejected';
  if (status === 'timed out') {
    const failure = `${new URL(receiver.endpoint).host} did not answer`;
    if (receiver.timeouts === 0) {
      await queries.setTimeouts(db, deviceId, { timeouts: 1, rests_until: null });
      throw new Error(failure);
    }
    await queries.setTimeouts(db, deviceId, { timeouts: 0, rests_until: new Date(clock.now().getTime() + dayMs) });
    context.logger.warn({ deviceId }, `${failure} twice: its notifications are left out for a day`);
    return;
  }
  if (receiver.timeouts > 0) await queries.setTimeouts(db, deviceId, { timeouts: 0, rests_until: null });
  if (status === 'rejected' || status === 404 || status === 410) {
    await queries.removeDevice(db, deviceId);
    return;
  }
  if (status >= 200 && status < 300) {
    await queries.setLastUsed(db, deviceId, clock.now());
    return;
  }
  const failure = `${new URL(receiver.endpoint).host} answered ${status} (${appUrl})`;
  if (status >= 500 || status === 429 || status === 408) throw new Error(failure);
  throw new PermanentError(failure);
}

async function post(
  { db, appUrl, pushSandboxOrigin }: PushContext,
  url: URL,
  { p256dh, auth }: { p256dh: string; auth: string },
  payload: string,
): Promise<number | 'rejected' | 'timed out'> {
  const { default: webPush } = await import('web-push');
  // Push services want a contact; localhost is none.
  const subject = appUrl.startsWith('https:') ? appUrl : `mailto:${site.supportEmail}`;
  const details = webPush.generateRequestDetails({ endpoint: url.href, keys: { p256dh, auth } }, payload, {
    vapidDetails: { subject, ...(await loadKeys(db)) },
    TTL: secondsToLive,
    urgency: 'high',
    contentEncoding: 'aes128gcm',
  });
  try {
    return await postToEndpoint(url, details.headers, details.body ?? Buffer.alloc(0), url.origin === pushSandboxOrigin);
  } catch (error) {
    if (error instanceof PrivateAddressError) return 'rejected';
    if (error instanceof EndpointTimeoutError) return 'timed out';
    throw error;
  }
}

/** A user's devices, without the keys that allow sending to them. */
export const getOwnPushData = (db: Reader, userId: string): OwnData => ({
  lists: { 'push-devices': () => queries.listPushDevices(db, userId) },
});

export function pushJobs(context: PushContext) {
  context.jobs.handle(deliverPushJob, (delivery) => deliverPush(context, delivery));
}
