import type { InputOf } from '@handwise/contract/calls';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';

/** Always fetched again, because other administrators change them too. */
export const settings = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: ({ signal }) => call('GET /admin/settings', {}, signal),
  staleTime: 0,
  // What is being typed must not be replaced.
  refetchOnWindowFocus: false,
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

export function useSettingsChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: changeSettings,
    onSuccess: ({ settings: values, version, live, history }) =>
      client.setQueryData(settings.queryKey, { settings: values, version, live, history }),
  });
}
