import { z } from 'zod';

// The Trades API of New South Wales: a licence is verified by its number, found by browsing if that gives nothing, and read in detail by its id.
// Its documentation could be read in part only, so paths and names of fields are settings.

/** Where the parts of an answer are; dots lead into objects. */
export const licenceFields = {
  list: '',
  id: 'licenceID',
  number: 'licenceNumber',
  holder: 'licensee',
  status: 'licenceDetail.status',
  ends: 'licenceDetail.expiryDate',
  type: 'licenceDetail.licenceType',
  classes: 'licenceClasses',
  className: 'className',
} as const;
type LicenceFields = Record<keyof typeof licenceFields, string>;

export const licencePaths = {
  token: 'https://api.onegov.nsw.gov.au/oauth/client_credential/accesstoken?grant_type=client_credentials',
  base: 'https://api.onegov.nsw.gov.au/tradesregister/v1',
  verify: '/verify?licenceNumber={number}',
  browse: '/browse?searchText={number}',
  details: '/details?licenceid={id}',
} as const;
type LicencePaths = Record<keyof typeof licencePaths, string>;

const fieldName = z.string().regex(/^([\w-]+(\.[\w-]+)*)?$/, 'names no field');
const address = z.url({ protocol: /^https$/ });
/** The settings that replace some of them. */
export const licenceFieldSettings = z.strictObject({
  list: fieldName.optional(),
  id: fieldName.optional(),
  number: fieldName.optional(),
  holder: fieldName.optional(),
  status: fieldName.optional(),
  ends: fieldName.optional(),
  type: fieldName.optional(),
  classes: fieldName.optional(),
  className: fieldName.optional(),
});
export const licencePathSettings = z.strictObject({
  token: address.optional(),
  base: address.optional(),
  verify: z.string().startsWith('/').includes('{number}').optional(),
  browse: z.string().startsWith('/').includes('{number}').optional(),
  details: z.string().startsWith('/').includes('{id}').optional(),
});

/** The first values, with those that are set in their place. */
export const replaceSome = <Name extends string>(
  first: Readonly<Record<Name, string>>,
  given: { readonly [Of in Name]?: string | undefined } = {},
): Record<Name, string> => {
  const names = Object.keys(first) as Name[];
  return Object.fromEntries(names.map((name) => [name, given[name] ?? first[name]])) as Record<Name, string>;
};

/** `sandbox`: whether it is the stand-in. */
export type LicenceRegisterSettings = { key: string; secret: string; paths: LicencePaths; fields: LicenceFields; sandbox: boolean };

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

function at(value: unknown, path: string): unknown {
  let found = value;
  for (const part of path === '' ? [] : path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Record<string, unknown>)[part];
  }
  return found;
}

function textAt(value: unknown, path: string): string | undefined {
  const found = at(value, path);
  const text = typeof found === 'number' ? String(found) : typeof found === 'string' ? found.trim() : '';
  return text === '' ? undefined : text.slice(0, longest);
}

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
  const { key, secret, paths, fields, sandbox } = settings;
  let token: { text: string; until: number } | undefined;

  const ask = (url: string, headers: Record<string, string>) =>
    // A redirect could lead anywhere with the token.
    fetch(url, { headers: { accept: 'application/json', ...headers }, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });

  async function getToken(): Promise<string> {
    if (token && now() < token.until) return token.text;
    const response = await ask(paths.token, { authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}` });
    if (!response.ok) throw new Error(`the licence register’s token answered ${response.status}`);
    const { access_token: text, expires_in: seconds = 0 } = tokenAnswer.parse(await readJson(response));
    token = { text, until: now() + seconds * 1000 - spareMs };
    return text;
  }

  async function get(path: string, isAgain = false): Promise<unknown> {
    const response = await ask(paths.base + path, { authorization: `Bearer ${await getToken()}`, apikey: key });
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
    const list = at(await get(path.replace('{number}', encodeURIComponent(number))), fields.list);
    if (!Array.isArray(list)) throw new Error('the licence register answered no list');
    const numbers = list.map((one) => textAt(one, fields.number));
    // A list that cannot be read does not say that nothing is there.
    if (numbers.includes(undefined)) throw new Error('the licence register left out a number');
    const wanted = normalize(number);
    return wanted === '' ? undefined : (list.find((_, index) => normalize(numbers[index] ?? '') === wanted) as unknown);
  }

  return {
    sandbox,
    async find(number) {
      const found = (await findInList(paths.verify, number)) ?? (await findInList(paths.browse, number));
      if (found === undefined) return null;
      const [id, holder] = [textAt(found, fields.id), textAt(found, fields.holder)];
      if (id === undefined || holder === undefined) throw new Error('the licence register left out id or holder');
      const details = await get(paths.details.replace('{id}', encodeURIComponent(id)));
      const status = textAt(details, fields.status);
      if (status === undefined) throw new Error('the licence register left out the status');
      const classes = at(details, fields.classes);
      const names = Array.isArray(classes) ? classes.flatMap((one) => textAt(one, fields.className) ?? []) : [];
      const ends = textAt(details, fields.ends);
      return {
        id,
        number: textAt(found, fields.number) ?? number,
        holder,
        className: (names.join(', ') || textAt(details, fields.type) || '').slice(0, longest),
        status,
        state: readStatus(status),
        endsOn: ends === undefined ? null : readDay(ends),
      };
    },
  };
}
