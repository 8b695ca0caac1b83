import type { IncomingMessage, ServerResponse } from 'node:http';
import { sandboxRegistersKey } from '@handwise/server/kit/registers';

/** An entry of the stand-in for the licence register. `endsOn`: "31/03/2027". */
export type RegisteredLicence = { holder: string; className?: string; status?: string; endsOn?: string | null };

/** `denied`: the token is not accepted. `no-token`: none is given. `odd`: another shape. `moved`: a redirect. `huge`: 2 MB. */
export type LicenceFault = 'down' | 'busy' | 'denied' | 'no-token' | 'odd' | 'moved' | 'huge';

/** Sample numbers. */
const tryThese: Record<string, RegisteredLicence> = {
  '100001C': { holder: 'BANKSIA HOME SERVICES PTY LTD', className: 'Electrician' },
  '100002C': { holder: 'WARATAH BUILDERS PTY LTD', className: 'Builder', status: 'Expired', endsOn: '30/06/2025' },
  '100003C': { holder: 'KINGI, MERE', className: 'Plumber', status: 'Suspended' },
};

/** Stands in for the Trades API of New South Wales: tokens for an hour, verify, browse and details. */
export function openSandboxLicences() {
  let fault: LicenceFault | null = null;
  let issued = 0;
  let validToken = '';
  const requested: string[] = [];
  const licences = new Map<string, RegisteredLicence | null>(Object.entries(tryThese));
  const answers = (response: ServerResponse, body: unknown, status = 200) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  /** Whether the request was for the licence register. */
  function respond(request: IncomingMessage, response: ServerResponse): boolean {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://registers');
    if (pathname !== '/oauth/client_credential/accesstoken' && !pathname.startsWith('/tradesregister/')) return false;
    if (fault === 'down') return (response.socket?.destroy(), true);
    if (fault === 'busy') return (response.writeHead(503).end(), true);
    if (pathname === '/oauth/client_credential/accesstoken') {
      const expected = `Basic ${Buffer.from(`${sandboxRegistersKey}:${sandboxRegistersKey}`).toString('base64')}`;
      if (request.headers.authorization !== expected || fault === 'no-token') return (answers(response, {}, 401), true);
      validToken = `token-${++issued}`;
      return (answers(response, { access_token: validToken, expires_in: '3599', token_type: 'BearerToken' }), true);
    }
    const isKnown = request.headers.authorization === `Bearer ${validToken}` && request.headers['apikey'] === sandboxRegistersKey;
    if (!isKnown || fault === 'denied') return (answers(response, { message: 'Invalid access token' }, 401), true);
    if (fault === 'moved') return (response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), true);
    if (fault === 'odd') return (answers(response, { licences: 'none' }), true);
    if (fault === 'huge') return (response.writeHead(200).end('x'.repeat(2_000_000)), true);
    const number =
      searchParams.get('licenceNumber') ?? searchParams.get('searchText') ?? searchParams.get('licenceid')?.replace(/^1-/, '') ?? '';
    const found = licences.get(number);
    if (pathname.endsWith('/details')) {
      if (!found) return (answers(response, {}, 404), true);
      const { className = 'Builder', status = 'Current', endsOn = '31/12/2099' } = found;
      const licenceDetail = {
        licenceNumber: number,
        licensee: found.holder,
        licenceType: 'Contractor Licence',
        status,
        ...(endsOn !== null && { expiryDate: endsOn }),
      };
      return (answers(response, { licenceDetail, licenceClasses: [{ className, isActive: true }] }), true);
    }
    if (pathname.endsWith('/verify')) requested.push(number);
    const list = found
      ? [{ licenceID: `1-${number}`, licenceNumber: number, licensee: found.holder, status: found.status ?? 'Current' }]
      : [];
    return (answers(response, list), true);
  }

  return {
    respond,
    /** Numbers that were verified, in order. */
    requested,
    countTokens: () => issued,
    /** Takes the token back before its end. */
    endToken() {
      validToken = 'ended';
    },
    set(number: string, licence: RegisteredLicence | null) {
      licences.set(number, licence);
    },
    /** Null clears the fault. */
    setFault(next: LicenceFault | null) {
      fault = next;
    },
  };
}
