import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseBusinessNumber } from '@handwise/contract/registers/business-number';
import { createSandboxRegisters, sandboxRegistersKey } from '@handwise/server/kit/registers';
import { openSandboxLicences } from './licences.ts';
import { startServer } from './stand-in-server.ts';

/** A register entry. `ended`: removed or cancelled. */
export type RegisteredBusiness = { name: string; tradingNames?: readonly string[]; formerNames?: readonly string[]; ended?: boolean };

/** `down`: connections are cut. `busy`: 503. `other-number`: the entry of another number. `unknown-key`: as without access. */
export type RegisterFault = 'down' | 'busy' | 'other-number' | 'unknown-key';

/** Sample numbers, besides those of the demo data. */
const tryThese: Record<string, RegisteredBusiness> = {
  '9429000000017': { name: 'KŌTARE HOME SERVICES LIMITED', tradingNames: ['Kōtare Plumbing'] },
  '9429000000024': { name: 'TŪĪ BUILDERS LIMITED', ended: true },
  '80000000001': { name: 'BANKSIA HOME SERVICES PTY LTD', tradingNames: ['Banksia Electrical'] },
  '61000000002': { name: 'WARATAH BUILDERS PTY LTD', ended: true },
};

/** Starts a stand-in for the NZBN's API, ABN Lookup and the licence register of New South Wales with the same paths, keys and responses. `known` adds businesses to its samples. */
export async function startSandboxRegisters(known: () => Promise<Iterable<readonly [string, RegisteredBusiness]>> = async () => []) {
  let fault: RegisterFault | null = null;
  const licences = openSandboxLicences();
  const requested: string[] = [];
  const businesses = new Map<string, RegisteredBusiness | null>(Object.entries(tryThese));
  let others: Promise<Map<string, RegisteredBusiness>> | undefined;

  async function entryOf(number: string) {
    requested.push(number);
    const own = businesses.get(number);
    // Loaded on first use, because most starts never need it.
    return own === undefined ? (await (others ??= known().then((all) => new Map(all)))).get(number) : own;
  }
  const shown = (number: string) => (fault === 'other-number' ? number.replace(/.$/, (last) => String((Number(last) + 1) % 10)) : number);

  async function answerNzbn(number: string, request: IncomingMessage): Promise<{ status: number; body: object }> {
    if (request.headers['ocp-apim-subscription-key'] !== sandboxRegistersKey || fault === 'unknown-key') {
      return { status: 401, body: { statusCode: 401, message: 'Access denied due to invalid subscription key.' } };
    }
    if (parseBusinessNumber(number, 'NZ') === undefined) return { status: 400, body: { errorCode: 'BAD_REQUEST' } };
    const business = await entryOf(number);
    if (!business) return { status: 404, body: { errorCode: 'ENTITY_NOT_FOUND' } };
    const { name, tradingNames = [], formerNames = [], ended = false } = business;
    const former = formerNames.map((formerName) => ({ name: formerName, endDate: '2020-01-01T00:00:00.000+1300' }));
    return {
      status: 200,
      body: {
        nzbn: shown(number),
        entityName: name,
        entityTypeCode: 'LTD',
        entityStatusCode: ended ? '80' : '50',
        entityStatusDescription: ended ? 'Removed' : 'Registered',
        tradingNames: [...former, ...tradingNames.map((tradingName) => ({ name: tradingName, endDate: null }))],
      },
    };
  }

  async function answerAbn(query: URLSearchParams): Promise<object> {
    const nothing = { Abn: '', AbnStatus: '', BusinessName: [], EntityName: '', EntityTypeCode: '', Gst: '' };
    if (query.get('guid') !== sandboxRegistersKey || fault === 'unknown-key') {
      return { ...nothing, Message: 'The GUID entered is not recognised as a Registered Party' };
    }
    const number = query.get('abn') ?? '';
    if (parseBusinessNumber(number, 'AU') === undefined) return { ...nothing, Message: 'Search text is not a valid ABN or ACN' };
    const business = await entryOf(number);
    if (!business) return { ...nothing, Message: 'No records found' };
    const { name, tradingNames = [], ended = false } = business;
    return {
      Abn: shown(number),
      AbnStatus: ended ? 'Cancelled' : 'Active',
      BusinessName: tradingNames,
      EntityName: name,
      EntityTypeCode: 'PRV',
      Gst: null,
      Message: '',
    };
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    if (licences.respond(request, response)) return;
    if (fault === 'down') return void response.socket?.destroy();
    if (fault === 'busy') return void response.writeHead(503).end();
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://registers');
    const [, nzbn] = /^\/nzbn\/v5\/entities\/(\d+)$/.exec(pathname) ?? [];
    if (nzbn !== undefined) {
      const { status, body } = await answerNzbn(nzbn, request);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    } else if (pathname === '/json/AbnDetails.aspx') {
      const script = `${searchParams.get('callback') ?? 'callback'}(${JSON.stringify(await answerAbn(searchParams))})`;
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    } else response.writeHead(404).end();
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.socket?.destroy());
  });
  const { url, close } = await startServer(server);
  const settings = createSandboxRegisters(url);

  return {
    /** The server's environment. */
    settings,
    licences,
    /** Requested numbers, in order. */
    requested,
    /** Adds or removes a business. */
    set(number: string, business: RegisteredBusiness | null) {
      businesses.set(number, business);
    },
    /** Null clears the fault. */
    setFault(next: RegisterFault | null) {
      fault = next;
    },
    close,
  };
}
