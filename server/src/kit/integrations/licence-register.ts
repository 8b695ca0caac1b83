import { z } from 'zod';

// The Trades API of New South Wales: a licence is verified by its number, found by browsing if that gives nothing, and read in detail by its id.
// Its documentation could be read in part only: the doctor says when an answer cannot be read.

const paths = {
  token: '/oauth/client_credential/accesstoken?grant_type=client_credentials',
  verify: '/tradesregister/v1/verify?licenceNumber={number}',
  browse: '/tradesregister/v1/browse?searchText={number}',
  details: '/tradesregister/v1/details?licenceid={id}',
} as const;

/** `sandbox`: whether it is the stand-in. */
export type LicenceRegisterSettings = { url: string; key: string; secret: string; sandbox: boolean };

/** What the register has under a number. `endsOn` is null for one without an end. */
export type LicenceRecord = {
  id: string;
  number: string;
  holder: string;
  className: string;
  status: string;
  state: 'current' | 'ended' | 'suspended';
  endsOn: string | null;
};

export type LicenceRegister = {
  sandbox: boolean;
  /** Null if the register has nothing under the number. Throws if it is down or says what cannot be read. */
  find: (number: string) => Promise<LicenceRecord | null>;
};

const maxBytes = 1_000_000;
// A token that ends within this time is not used any more.
const spareMs = 60_000;
const longest = 300;

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().min(0).optional() });

const normalize = (number: string) => number.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase();

function readText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text.slice(0, longest);
}

/** What is used of an answer; all of it may be missing. */
type Answer = {
  licenceID?: unknown;
  licenceNumber?: unknown;
  licensee?: unknown;
  licenceDetail?: { status?: unknown; expiryDate?: unknown; licenceType?: unknown } | null;
  licenceClasses?: unknown;
} | null;

/** The register's words for what a licence is; any other word is an odd answer, neither valid nor ended. */
function readStatus(status: string): LicenceRecord['state'] {
  const [first = ''] = /^[a-z]+/i.exec(status) ?? [];
  switch (first.toLowerCase()) {
    case 'current':
    case 'active':
      return 'current';
    case 'expired':
    case 'cancelled':
    case 'canceled':
    case 'surrendered':
    case 'lapsed':
    case 'revoked':
    case 'disqualified':
      return 'ended';
    case 'suspended':
      return 'suspended';
    default:
      throw new Error(`the licence register has the status “${status}”`);
  }
}

/** "2027-03-31" or "31/03/2027" as a day. */
function readDay(text: string): string {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  const iso = year === undefined ? text.slice(0, 10) : `${year}-${month}-${day}`;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso) || new Date(`${iso}T00:00:00Z`).toJSON()?.slice(0, 10) !== iso)
    throw new Error(`the licence register has the end “${text}”`);
  return iso;
}

async function readJson(response: Response): Promise<unknown> {
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (announced > maxBytes) throw new Error('the licence register answered too much');
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > maxBytes) throw new Error('the licence register answered too much');
    chunks.push(chunk as Uint8Array);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** Opens the register, whose token is cached until shortly before its end. */
export function openLicenceRegister(settings: LicenceRegisterSettings, timeoutMs = 10_000, now = Date.now): LicenceRegister {
  const { url, key, secret, sandbox } = settings;
  let token: { text: string; until: number } | undefined;

  const ask = (path: string, headers: Record<string, string>) =>
    // A redirect could lead anywhere with the token.
    fetch(url + path, { headers: { accept: 'application/json', ...headers }, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });

  async function getToken(): Promise<string> {
    if (token && now() < token.until) return token.text;
    const response = await ask(paths.token, { authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}` });
    if (!response.ok) throw new Error(`the licence register’s token answered ${response.status}`);
    const { access_token: text, expires_in: seconds = 0 } = tokenAnswer.parse(await readJson(response));
    token = { text, until: now() + seconds * 1000 - spareMs };
    return text;
  }

  async function get(path: string, isAgain = false): Promise<unknown> {
    const response = await ask(path, { authorization: `Bearer ${await getToken()}`, apikey: key });
    // A token that was taken back before its end: once, with a new one.
    if (response.status === 401 && !isAgain) {
      token = undefined;
      await response.body?.cancel();
      return get(path, true);
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`the licence register answered ${response.status}`);
    }
    return readJson(response);
  }

  async function findInList(path: string, number: string) {
    const list = await get(path.replace('{number}', encodeURIComponent(number)));
    if (!Array.isArray(list)) throw new Error('the licence register answered no list');
    const numbers = list.map((one: Answer) => readText(one?.licenceNumber));
    // A list that cannot be read does not say that nothing is there.
    if (numbers.includes(undefined)) throw new Error('the licence register left out a number');
    const wanted = normalize(number);
    return wanted === '' ? undefined : (list.find((_, index) => normalize(numbers[index] ?? '') === wanted) as Answer);
  }

  return {
    sandbox,
    async find(number) {
      const found = (await findInList(paths.verify, number)) ?? (await findInList(paths.browse, number));
      if (!found) return null;
      const [id, holder] = [readText(found.licenceID), readText(found.licensee)];
      if (id === undefined || holder === undefined) throw new Error('the licence register left out id or holder');
      const answer = (await get(paths.details.replace('{id}', encodeURIComponent(id)))) as Answer;
      const details = answer?.licenceDetail;
      const status = readText(details?.status);
      if (status === undefined) throw new Error('the licence register left out the status');
      const classes = answer?.licenceClasses;
      const names = Array.isArray(classes) ? classes.flatMap((one: { className?: unknown } | null) => readText(one?.className) ?? []) : [];
      const ends = readText(details?.expiryDate);
      return {
        id,
        number: readText(found.licenceNumber) ?? number,
        holder,
        className: (names.join(', ') || readText(details?.licenceType) || '').slice(0, longest),
        status,
        state: readStatus(status),
        endsOn: ends === undefined ? null : readDay(ends),
      };
    },
  };
}
