import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

export const checkInstallation = (sendEmail: boolean, signal?: AbortSignal) => call('POST /admin/health', { body: { sendEmail } }, signal);

/** Checked when the page opens and when somebody asks, not each time its window gets the focus. */
export const health = queryOptions({
  queryKey: ['admin', 'health'],
  queryFn: ({ signal }) => checkInstallation(false, signal),
  staleTime: 0,
  refetchOnWindowFocus: false,
});
