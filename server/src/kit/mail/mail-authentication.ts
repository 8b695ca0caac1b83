import { type Email, addressParser } from 'postal-mime';

/**
 * Whether the server in front of us (`authenticatedBy`) confirms the sender in `Authentication-Results` (RFC 8601): by DMARC for the sender's domain, or
 * by a DKIM signature of that domain.
 */
export function isAuthenticated({ headers }: Pick<Email, 'headers'>, authenticatedBy: string): boolean {
  const valuesOf = (name: string) => headers.filter(({ key }) => key === name).map(({ value }) => value);
  const domain = findSenderDomain(valuesOf('from'));
  // That server removes forged headers with its name and puts its own on top.
  const [id = '', ...results] = splitStatements(valuesOf('authentication-results')[0] ?? '');
  if (domain === undefined || id.split(/\s/)[0] !== authenticatedBy.toLowerCase()) return false;
  return results.some((result) => {
    const [, method, outcome] = /^(\w+)(?:\/\d+)?=(\w+)(?:\s|$)/.exec(result) ?? [];
    const property = (name: string) =>
      result
        .split(/\s+/)
        .find((word) => word.startsWith(`${name}=`))
        ?.slice(name.length + 1);
    if (outcome !== 'pass') return false;
    if (method === 'dmarc') return property('header.from') === domain;
    return method === 'dkim' && (property('header.d') ?? property('header.i')?.split('@').at(-1)) === domain;
  });
}

/** Undefined for a mail without exactly one sender, because servers would check different ones. */
function findSenderDomain([from, ...others]: readonly string[]): string | undefined {
  const [sender, ...more] = addressParser(from ?? '');
  if (!sender?.address || others.length > 0 || more.length > 0) return undefined;
  return sender.address.toLowerCase().split('@').at(-1);
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
      .replace(/\s*([=/])\s*/g, '$1')
      .trim(),
  );
}
