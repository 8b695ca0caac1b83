import type { MailHeader } from './mail-headers.ts';

/**
 * Whether the server in front of us (`authenticatedBy`) confirms the sender in `Authentication-Results` (RFC 8601): by DMARC for the sender's domain, or
 * by a DKIM signature of that domain.
 */
export function isAuthenticated(headers: readonly MailHeader[], sender: string, authenticatedBy: string): boolean {
  const domain = sender.toLowerCase().split('@').at(-1);
  const seen = new Set<string>();
  for (const results of listTrustedResults(headers, authenticatedBy.toLowerCase())) {
    const methods = results.map((result) => readResult(result));
    // A header below another one can't change what that one says about a method.
    const fresh = methods.filter(({ method }) => !seen.has(method));
    if (fresh.some((result) => confirms(result, domain))) return true;
    for (const { method } of methods) seen.add(method);
  }
  return false;
}

type Result = { method: string; outcome: string; properties: Map<string, string> };

function readResult(statement: string): Result {
  const [, method = '', outcome = ''] = /^(\w+)(?:\/\d+)?=(\w+)(?:\s|$)/.exec(statement) ?? [];
  const properties = new Map<string, string>();
  for (const word of statement.split(/\s+/).slice(1)) {
    const at = word.indexOf('=');
    const name = word.slice(0, at);
    if (at > 0 && !properties.has(name)) properties.set(name, word.slice(at + 1));
  }
  return { method, outcome, properties };
}

function confirms({ method, outcome, properties }: Result, domain: string | undefined): boolean {
  if (domain === undefined || outcome !== 'pass') return false;
  if (method === 'dmarc') return properties.get('header.from') === domain;
  return method === 'dkim' && (properties.get('header.d') ?? properties.get('header.i')?.split('@').at(-1)) === domain;
}

/**
 * The statements of each header of that server. It removes forged headers with its name and puts its own on top, one for each check, so those below
 * another server's header, or below the `Received` of a server that the mail came through, are not its own.
 */
function listTrustedResults(headers: readonly MailHeader[], authenticatedBy: string): string[][] {
  const trusted: string[][] = [];
  for (const { name, value } of headers) {
    if (name === 'received' && trusted.length > 0) break;
    if (name !== 'authentication-results') continue;
    const [id = '', ...results] = splitStatements(value);
    if (id.split(/\s/)[0] !== authenticatedBy) break;
    trusted.push(results);
  }
  return trusted;
}

/**
 * The statements between the semicolons, without comments and in lower case. Quoted strings are dropped unless they are plain words, so that a sender
 * can't forge a statement. Empty if a quote or comment is not closed.
 */
function splitStatements(header: string): string[] {
  const statements = [''];
  let comments = 0;
  let quoted: string | undefined;
  const add = (text: string) => statements.push(`${statements.pop() ?? ''}${text}`);
  for (let at = 0; at < header.length; at += 1) {
    const letter = header.charAt(at);
    if (letter === '\\' && (comments > 0 || quoted !== undefined)) {
      at += 1;
      if (quoted !== undefined) quoted += '\\';
    } else if (quoted !== undefined) {
      if (letter !== '"') quoted += letter;
      else {
        add(/^[\w.@-]*$/.test(quoted) ? quoted : '"');
        quoted = undefined;
      }
    } else if (letter === '(') comments += 1;
    else if (comments > 0) comments -= letter === ')' ? 1 : 0;
    else if (letter === '"') quoted = '';
    else if (letter === ';') statements.push('');
    else add(letter);
  }
  if (comments > 0 || quoted !== undefined) return [];
  return statements.map((statement) =>
    statement
      .toLowerCase()
      // Runs of spaces first, or the second pattern would take quadratic time.
      .replace(/\s+/g, ' ')
      .replace(/ ?([=/]) ?/g, '$1')
      .trim(),
  );
}
