import type { ServerContext } from '../../lib/server-context.ts';

/** What was checked, reported, decided and reviewed in the last full month. */
export const getTrustData = ({ call }: ServerContext) => call('GET /trust', {});
