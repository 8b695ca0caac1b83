import { z } from 'zod';
import type { Call } from '../call.ts';
import { requiredLine } from '../text-fields.ts';

/** Devices of one account that receive notifications. */
export const maxPushDevices = 20;

const badSubscription = 'This is not a push subscription';
const bytes = (characters: number) =>
  z.string({ error: badSubscription }).regex(new RegExp(`^[A-Za-z0-9_-]{${characters}}$`), badSubscription);

const device = z.object({
  _id: z.uuid(),
  browser: z.string(),
  showsText: z.boolean(),
  /** Whether it is the device of this session. */
  current: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type PushDevice = z.output<typeof device>;

export const getPushKeyCall = {
  method: 'GET',
  url: '/push/key',
  summary: 'Get the public key (VAPID) that a browser subscribes to notifications with',
  access: 'public',
  response: z.object({ key: z.string() }),
  errors: [],
} as const satisfies Call;

export const addPushSubscriptionCall = {
  method: 'POST',
  url: '/push/subscriptions',
  summary: 'Receive notifications on this device',
  details:
    'The body is the browser’s PushSubscription. Sending it again changes nothing; a new one replaces that of this session. It ends with the session.',
  access: 'session',
  body: z.object({
    endpoint: requiredLine(badSubscription, 1_000),
    expirationTime: z.number().nullish(),
    keys: z.object({ p256dh: bytes(87), auth: bytes(22) }),
  }),
  response: device,
  errors: ['push_endpoint_refused', 'too_many_push_devices'],
} as const satisfies Call;

export const listPushSubscriptionsCall = {
  method: 'GET',
  url: '/push/subscriptions',
  summary: 'List the devices that receive your notifications, newest first',
  access: 'session',
  response: z.object({ subscriptions: z.array(device) }),
  errors: [],
} as const satisfies Call;

export const updatePushSubscriptionCall = {
  method: 'PUT',
  url: '/push/subscriptions/:id',
  summary: 'Choose whether notifications on a device show what was written',
  access: 'session',
  params: z.object({ id: z.uuid() }),
  body: z.object({ showsText: z.boolean() }),
  response: device,
  errors: ['push_subscription_not_found'],
} as const satisfies Call;

export const deletePushSubscriptionCall = {
  method: 'DELETE',
  url: '/push/subscriptions/:id',
  summary: 'End notifications on a device',
  access: 'session',
  params: z.object({ id: z.uuid() }),
  response: z.object({ message: z.string() }),
  errors: ['push_subscription_not_found'],
} as const satisfies Call;
