import { z } from 'zod';
import type { Call } from '../call.ts';
import { mailToken } from '../mail-preferences.ts';
import { findQuery } from '../search/calls.ts';
import { requiredLine } from '../text-fields.ts';

/** Per user. */
export const maxAlerts = 20;
/** Listings per email. Several alerts share them, with at least `fewestInMail` each. */
export const listingsInMail = 10;
export const fewestInMail = 3;
export const alertNameLength = 80;

const frequency = z.enum(['daily', 'weekly'], 'Use daily or weekly');
export type AlertFrequency = z.infer<typeof frequency>;

const alert = z.object({
  _id: z.uuid(),
  name: z.string(),
  query: z.string().meta({ description: 'The parameters of the search that shows all matches, to go after “/search?”' }),
  frequency,
  isPaused: z.boolean(),
  createdAt: z.iso.datetime(),
  lastMail: z
    .object({
      sentAt: z.iso.datetime(),
      total: z.int().meta({ description: 'How many new listings it was about' }),
      listings: z
        .array(z.object({ _id: z.uuid(), title: z.string() }))
        .meta({ description: 'The ones that are still on the site, newest first' }),
    })
    .nullable(),
});
export type Alert = z.infer<typeof alert>;

export const alertNameForm = z.object({ name: requiredLine('Give it a name', alertNameLength) });

const alertId = z.object({ id: z.uuid('Use the id of an alert') });

export const listAlertsCall = {
  method: 'GET',
  url: '/alerts',
  summary: 'List your alerts, newest first',
  access: 'session',
  response: z.object({ alerts: z.array(alert) }),
  errors: [],
} as const satisfies Call;

export const saveAlertCall = {
  method: 'POST',
  url: '/alerts',
  summary: 'Create an alert: an email about new listings that match a search',
  details: 'The search is interpreted now. Keeping the same search again updates the alert you have.',
  access: 'session',
  body: findQuery.omit({ sort: true, page: true, limit: true }).extend({ frequency }),
  response: alert,
  errors: ['too_many_alerts', 'search_timed_out'],
} as const satisfies Call;

export const updateAlertCall = {
  method: 'PUT',
  url: '/alerts/:id',
  summary: 'Rename an alert, choose how often it emails you, pause it or resume it',
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

export const deleteAlertCall = {
  method: 'DELETE',
  url: '/alerts/:id',
  summary: 'Delete an alert',
  details: 'You can restore it within an hour.',
  access: 'session',
  params: alertId,
  response: z.object({ isDeleted: z.literal(true) }),
  errors: ['alert_not_found'],
} as const satisfies Call;

export const restoreAlertCall = {
  method: 'POST',
  url: '/alerts/:id/restore',
  summary: 'Restore a deleted alert',
  access: 'session',
  params: alertId,
  response: alert,
  errors: ['alert_not_found', 'too_many_alerts'],
} as const satisfies Call;

const ended = z.object({ names: z.array(z.string()).min(1), isPaused: z.boolean() }).meta({ description: 'The alerts in the email' });

export const endAlertCall = {
  method: 'POST',
  url: '/alerts/end',
  summary: 'Pause alerts by the link in one of their emails',
  details: 'One alert, or all in the email. Needs no sign-in: mail programs do this in one click (RFC 8058).',
  access: 'public',
  query: z.object({ token: mailToken }),
  response: ended,
  errors: ['link_not_valid'],
} as const satisfies Call;

export const resumeAlertCall = {
  ...endAlertCall,
  url: '/alerts/resume',
  summary: 'Resume alerts by the link in one of their emails',
  details: 'Needs no sign-in.',
} as const satisfies Call;
