import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';

type Pair = { client: Socket; server: Socket; isFrozen: boolean };

/** A network before a database that can stop bringing anything, and closes nothing: whoever waits for an answer is told nothing. */
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
      // A network that brings nothing does not bring the news of an end either.
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
    /** The database's address through this network. */
    url: url.href,
    /** From now on nothing goes over the connections that are open. With `all` nothing goes over new ones either. */
    freeze(which: 'open' | 'all' = 'open') {
      freezesNew = which === 'all';
      for (const pair of pairs) freeze(pair);
    },
    /** New connections are as connections should be again. Those that were frozen stay so. */
    letNewThrough() {
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
