import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Takes every mail and forgets it, for next to nothing: so much of SMTP (RFC 5321) as a sender needs. */
export async function startMailSink(): Promise<{ smtpUrl: string; close(): void }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => {});
    socket.write('220 sink\r\n');
    let isMail = false;
    createInterface({ input: socket }).on('line', (line) => {
      if (isMail && line !== '.') return;
      isMail = line.toUpperCase() === 'DATA';
      socket.write(isMail ? '354 go on\r\n' : '250 taken\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
