import type { InputOf } from '@handwise/contract/calls';
import type { Alert } from '@handwise/contract/alerts/calls';
import { call } from '../../../lib/api.ts';
import { findNames, type FindName } from '../find/find-params.ts';

// An alert ignores the order and the page of a search.
const names = findNames.filter((name) => name !== 'sort' && name !== 'page');

// One of these is required: an alert for a whole country is refused.
const narrowing = ['q', 'where', 'category', 'subCategory', 'region', 'district', 'near'] as const;

/** The parameters of a search for an alert, without order and page. Null if it is too wide. */
export function getAlertSearch(search: { [name in FindName]?: string | undefined }): string | null {
  if (narrowing.every((name) => !search[name])) return null;
  return new URLSearchParams(names.flatMap((name) => (search[name] ? [[name, search[name]]] : []))).toString();
}

/** Saves a search as an alert. Throws `ApiError`. */
export function saveSearchAlert(search: string, frequency: Alert['frequency']): Promise<Alert> {
  const params = new URLSearchParams(search);
  const parts = Object.fromEntries(names.flatMap((name) => (params.has(name) ? [[name, params.get(name) ?? '']] : [])));
  // The server validates the rest of the address.
  const body = { ...parts, frequency } as InputOf<'POST /alerts'>['body'];
  return call('POST /alerts', { body });
}
