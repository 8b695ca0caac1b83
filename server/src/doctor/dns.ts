import { Resolver } from 'node:dns/promises';

// Twice two seconds for each server of the machine, within a check's own limit.
const timeoutMs = 2_000;
const tries = 2;

export type Dns = ReturnType<typeof openDns>;

const hasNoRecord = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENODATA' || error.code === 'ENOTFOUND');

/** Asks the machine's name servers, or the given ones. A name without such records gives an empty list; an error means that nothing is known. */
export function openDns(patience: number, servers?: readonly string[]) {
  const resolver = new Resolver({ timeout: patience * timeoutMs, tries });
  if (servers) resolver.setServers(servers);
  async function ask<Found>(question: Promise<Found[]>): Promise<Found[]> {
    try {
      return await question;
    } catch (error) {
      if (hasNoRecord(error)) return [];
      throw error;
    }
  }
  return {
    /** The texts of TXT records. A record in several strings is one text. */
    texts: async (name: string) => (await ask(resolver.resolveTxt(name))).map((strings) => strings.join('')),
    addresses: async (name: string) => {
      const [four, six] = await Promise.all([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))]);
      return [...four, ...six];
    },
    mailServers: async (name: string) =>
      (await ask(resolver.resolveMx(name))).toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange),
  };
}
