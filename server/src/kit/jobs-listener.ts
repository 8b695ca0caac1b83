import pg from 'pg';

/**
 * Hears of new jobs over LISTEN/NOTIFY on a connection of its own. A broken connection is made anew every second;
 * `onReconnect` then says that something may have been missed. Throws where the first connection fails.
 */
export async function listen(options: {
  url: string;
  channel: string;
  onNotification: (payload: string) => void;
  onReconnect: () => void;
}): Promise<{ close(): Promise<void> }> {
  let closed = false;
  let current: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const connect = async () => {
    const client = new pg.Client({ connectionString: options.url, application_name: 'handwise jobs' });
    current = client;
    client.on('notification', ({ payload }) => options.onNotification(payload ?? ''));
    client.on('error', () => lost(client));
    client.on('end', () => lost(client));
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(options.channel)}`);
    options.onReconnect();
  };
  const lost = (client: pg.Client) => {
    if (closed || current !== client) return;
    current = undefined;
    client.end().catch(() => {});
    retry = setTimeout(() => void connect().catch(() => current && lost(current)), 1_000);
  };

  await connect();
  return {
    async close() {
      closed = true;
      clearTimeout(retry);
      await current?.end().catch(() => {});
    },
  };
}
