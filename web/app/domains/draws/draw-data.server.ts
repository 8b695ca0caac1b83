import type { ServerContext } from '../../lib/server-context.ts';

const isPeriod = (text: string) => /^20\d\d-(0[1-9]|1[0-2])$/.test(text);
const isUnknown = (error: unknown) => (error as { status?: unknown }).status === 404;

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (isUnknown(error)) return null;
    throw error;
  });
}

export const drawsData = async ({ call }: ServerContext) => (await call('GET /draws', {})).draws;

/** One month's draw; null if there was none. */
export async function drawData({ call }: ServerContext, period: string) {
  const found = isPeriod(period) ? await orNull(call('GET /draws/:period', { params: { period } })) : null;
  return found?.draw ?? null;
}

/** The terms of a month (the current one by default), and the months that have terms; null if the month has none. */
export async function termsData(context: ServerContext, month: string | null) {
  const { call } = context;
  const period = month ?? 'current';
  if (month !== null && !isPeriod(month)) return null;
  const [terms, draws] = await Promise.all([orNull(call('GET /draws/:period/terms', { params: { period } })), drawsData(context)]);
  return terms && { terms, months: draws.map(({ period, year, month }) => ({ period, year, month })) };
}
