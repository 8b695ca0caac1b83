/** The reconciler asks after a minute at first, then ever more rarely, at least once an hour. */
export const nextCheck = (createdAt: Date, now: Date) =>
  new Date(now.getTime() + Math.min(Math.max(now.getTime() - createdAt.getTime(), 60_000), 3_600_000));

/** An intent that nobody has paid for so long is given up. */
export const abandonedAfterHours = 24;

/** How a job is tried again that waits for the provider: for days, at least once an hour. */
export const patientJob = { retryLimit: 60, retryDelaySeconds: 30, retryDelayMaxSeconds: 3_600 };
