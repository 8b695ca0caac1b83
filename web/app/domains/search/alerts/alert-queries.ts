import type { updateAlert, deleteAlert, listAlerts, restoreAlert } from '@handwise/contract/alerts/calls';
import type { CallInput } from '@handwise/contract/call';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';

/** The searches that one keeps. */
export const ownAlerts = queryOptions({
  queryKey: ['alerts'],
  queryFn: async ({ signal }) => (await call<typeof listAlerts>({ method: 'GET', url: '/alerts' }, {}, signal)).alerts,
  // They are kept on other pages.
  staleTime: 0,
});

export type AlertChange = CallInput<typeof updateAlert>['body'];

export const change = (id: string, body: AlertChange) =>
  call<typeof updateAlert>({ method: 'PUT', url: '/alerts/:id' }, { params: { id }, body });
export const remove = (id: string) => call<typeof deleteAlert>({ method: 'DELETE', url: '/alerts/:id' }, { params: { id } });
export const restore = (id: string) => call<typeof restoreAlert>({ method: 'POST', url: '/alerts/:id/restore' }, { params: { id } });
