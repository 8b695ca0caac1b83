import { z } from 'zod';
import type { Call } from './call.ts';
import { mailToken } from './mail-preferences.ts';
import { findQuery } from './search.ts';
import { requiredLine } from './text-fields.ts';

/** So many alerts at most are one person's. */
export const maxAlerts = 20;
/** So many listings at most stand in one mail. */
export const listingsInMail = 10;
export const alertNameLength = 80;

const frequency = z.enum(['daily', 'weekly'], 'Use daily or weekly');
export type AlertFrequency = z.infer<typeof frequency>;

const alert = z.object({
  _id: z.uuid(),
  name: z.string(),
  query: z.string().meta({ description: 'The parameters of the search that shows all that match, to follow “/search?”' }),
  frequency,
  isPaused: z.boolean(),
  createdAt: z.iso.datetime(),
  lastMail: z
    .object({
      sentAt: z.iso.datetime(),
      total: z.int().meta({ description: 'How many new listings it told of' }),
      listings: z
        .array(z.object({ _id: z.uuid(), title: z.string() }))
        .meta({ description: 'Those of them that are on the site, the newest first' }),
    })
    .nullable(),
});
export type Alert = z.infer<typeof alert>;

export const alertNameForm = z.object({ name: requiredLine('Give it a name', alertNameLength) });

const alertId = z.object({ id: z.uuid('Use the id of an alert') });

export const listAlerts = {
  method: 'GET',
  url: '/alerts',
  summary: 'The searches that one keeps, the newest first',
  access: 'session',
  response: z.object({ alerts: z.array(alert) }),
  errors: [],
} as const satisfies Call;

export const keepAlert = {
  method: 'POST',
  url: '/alerts',
  summary: 'Keep a search: new listings that match come by mail. What it means is read now; the same search is kept once',
  access: 'session',
  body: findQuery.omit({ sort: true, page: true, limit: true }).extend({ frequency }),
  response: alert,
  errors: ['too_many_alerts'],
} as const satisfies Call;

export const changeAlert = {
  method: 'PUT',
  url: '/alerts/:id',
  summary: 'Name an alert, choose how often it mails, pause it or let it go on',
  access: 'session',
  params: alertId,
  body: z.object({
    name: alertNameForm.shape.name.optional(),
    frequency: frequency.optional(),
    isPaused: z.boolean('Use true or false').optional(),
  }),
  response: alert,
  errors: ['alert_not_found'],
} as const satisfies Call;

export const deleteAlert = {
  method: 'DELETE',
  url: '/alerts/:id',
  summary: 'Delete an alert. It can be brought back for an hour',
  access: 'session',
  params: alertId,
  response: z.object({ isDeleted: z.literal(true) }),
  errors: ['alert_not_found'],
} as const satisfies Call;

export const restoreAlert = {
  method: 'POST',
  url: '/alerts/:id/restore',
  summary: 'Bring back an alert that was deleted',
  access: 'session',
  params: alertId,
  response: alert,
  errors: ['alert_not_found', 'too_many_alerts'],
} as const satisfies Call;

const ended = alert.pick({ name: true, isPaused: true });

export const endAlert = {
  method: 'POST',
  url: '/alerts/end',
  summary: 'Pause an alert by the address in one of its mails, without signing in: what mail programs do in one click (RFC 8058)',
  access: 'public',
  query: z.object({ token: mailToken }),
  response: ended,
  errors: ['link_not_valid'],
} as const satisfies Call;

export const resumeAlert = {
  ...endAlert,
  url: '/alerts/resume',
  summary: 'Let an alert go on that was paused by its address',
} as const satisfies Call;
