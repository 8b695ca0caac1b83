import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';

type Pair = { client: Socket; server: Socket; isFrozen: boolean };

/** A proxy before a database that can freeze its connections without closing them. */
export async function startFreezingProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  let freezesNew = false;

  const freeze = (pair: Pair) => {
    pair.isFrozen = true;
    for (const socket of [pair.client, pair.server]) socket.unpipe().pause();
  };
  const listener = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    const pair = { client, server, isFrozen: false };
    pairs.add(pair);
    client.pipe(server);
    server.pipe(client);
    if (freezesNew) freeze(pair);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('error', () => {});
      // A frozen connection does not forward its close either.
      socket.on('close', () => {
        if (!pair.isFrozen) other.destroy();
      });
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const bound = listener.address();
  const url = new URL(databaseUrl);
  url.port = String(typeof bound === 'object' ? bound?.port : 0);

  return {
    /** The database's address through this proxy. */
    url: url.href,
    /** Freezes the open connections; with `all` also new ones. */
    freeze(which: 'open' | 'all' = 'open') {
      freezesNew = which === 'all';
      for (const pair of pairs) freeze(pair);
    },
    /** Lets new connections work again; frozen ones stay frozen. */
    unfreezeNew() {
      freezesNew = false;
    },
    async close() {
      const closed = once(listener, 'close');
      listener.close();
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await closed;
    },
  };
}
