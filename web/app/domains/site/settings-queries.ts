import type { InputOf } from '@handwise/contract/calls';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';

/** Always fetched again, because other administrators change them too. */
export const settings = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: ({ signal }) => call('GET /admin/settings', {}, signal),
  staleTime: 0,
  // What is being typed must not be replaced.
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});

/** The problems of a refused change go to the fields of the form, which are those of the settings. */
async function changeSettings(body: InputOf<'PUT /admin/settings'>['body']) {
  try {
    return await call('PUT /admin/settings', { body });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const fields = error.fieldErrors.map(({ field, message }) => ({ field: field.replace(/^values\./, ''), message }));
    throw new ApiError(error.status, error.code, error.message, fields);
  }
}

/** Changes the settings. If somebody else has changed them first, theirs are loaded before it throws. */
export function useSettingsChange() {
  const client = useQueryClient();
  return async (body: InputOf<'PUT /admin/settings'>['body'], onSaved: (message: string) => void) => {
    try {
      const { message, ...stored } = await changeSettings(body);
      onSaved(message);
      client.setQueryData(settings.queryKey, stored);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'settings_changed') await client.refetchQueries(settings);
      throw error;
    }
  };
}
