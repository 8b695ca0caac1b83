import { once } from 'node:events';
import type { Server } from 'node:http';

/** Lets a stand-in listen on this machine. Port 0 chooses a free one. */
export async function startServer(server: Server, port = 0) {
  // Otherwise a connection that has been idle for five seconds may end just when a client on a busy machine uses it again.
  server.keepAliveTimeout = 0;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const chosen = typeof bound === 'object' && bound ? bound.port : port;
  return {
    url: `http://127.0.0.1:${chosen}`,
    port: chosen,
    /** Ends running calls too. A second call does nothing. */
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
