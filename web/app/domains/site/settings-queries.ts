import type { InputOf } from '@handwise/contract/calls';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

/** Always fetched again, because other administrators change them too. */
export const settings = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: ({ signal }) => call('GET /admin/settings', {}, signal),
  staleTime: 0,
  // What is being typed must not be replaced.
  refetchOnWindowFocus: false,
});

export function useSettingsChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InputOf<'POST /admin/settings'>['body']) => call('POST /admin/settings', { body }),
    onSuccess: ({ settings: values, version, live, history }) =>
      client.setQueryData(settings.queryKey, { settings: values, version, live, history }),
  });
}
