import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type ListenOptions, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

type Address = { port: number; host: string };

const sockets = 8;

/**
 * Listens as `app.listen` does, but with several sockets on the same port. From each of them, libuv takes one new connection per turn of the event
 * loop, and a turn of a busy server takes a tenth of a second: behind a single socket, visitors and health checks wait for seconds before the server
 * knows of them. All sockets are closed with the app, which waits for its own connections alone: the function that is returned waits for the others.
 */
export async function listen(app: FastifyInstance, address: Address): Promise<() => Promise<unknown>> {
  const others: Server[] = [];
  const ending: Promise<unknown>[] = [];
  const ended = () => Promise.all(ending);
  // Elsewhere a port has one socket, or connections are not spread over several.
  if (process.platform !== 'linux') {
    await app.listen(address);
    return ended;
  }
  await expectFree(address);
  app.addHook('preClose', async () => {
    for (const server of others) ending.push(new Promise((done) => server.close(done)));
  });
  const shared = { ...address, reusePort: true };
  await app.listen(shared);
  const { port } = app.server.address() as AddressInfo;
  while (others.length < sockets - 1) {
    const server = createServer((socket) => app.server.emit('connection', socket));
    others.push(server);
    await open(server, { ...shared, port });
  }
  return ended;
}

async function open(server: Server, options: ListenOptions): Promise<void> {
  server.listen(options);
  await once(server, 'listening');
}

// Sockets that share a port do not notice that another copy of this server has it, too. Asked by connecting, because a socket that listens for a moment
// would take connections that a proxy sends while the server starts, and lose them.
async function expectFree({ port, host }: Address): Promise<void> {
  if (port === 0) return;
  const socket = connect({ port, host });
  const isTaken = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (isTaken) throw Object.assign(new Error(`listen EADDRINUSE: address already in use ${host}:${port}`), { code: 'EADDRINUSE' });
}
