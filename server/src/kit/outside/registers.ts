import type { BusinessRegister } from '@handwise/contract/evidence/business-number';
import { z } from 'zod';

/** Where a register of businesses is asked, and as whom. `sandbox`: a stand-in answers. */
export type RegisterSettings = { url: string; key: string; sandbox: boolean };

/** What a register has under a number: the registered name first, then the names that it trades under. */
export type RegisterEntry = { names: [string, ...string[]]; isInOperation: boolean };

type Register = {
  sandbox: boolean;
  /** Null where there is no such number. Throws where the register gives no answer that can be believed. */
  find: (number: string) => Promise<RegisterEntry | null>;
};

/** Null: there is no key, so nobody is asked. */
export type Registers = Readonly<Record<BusinessRegister, Register | null>>;
export type RegistersSettings = Readonly<Record<BusinessRegister, RegisterSettings | null>>;

export const nzbnAddress = 'https://api.business.govt.nz/gateway/nzbn/v5';
export const abnAddress = 'https://abr.business.gov.au/json';

/** What the sandbox's stand-in takes for a key. */
export const sandboxRegistersKey = 'sandbox';

/** The sandbox's stand-in for both, at this address. */
export const sandboxRegisters = (url: string) =>
  ({
    nzbn: { url: `${url}/nzbn/v5`, key: sandboxRegistersKey, sandbox: true },
    abn: { url: `${url}/json`, key: sandboxRegistersKey, sandbox: true },
  }) satisfies RegistersSettings;

const longestName = 300;
const namesOf = (first: string, others: readonly string[]): [string, ...string[]] => [
  first.slice(0, longestName),
  ...others.filter((name) => name !== '').map((name) => name.slice(0, longestName)),
];

const nzbnEntity = z.object({
  nzbn: z.string(),
  entityName: z.string().min(1),
  entityStatusCode: z.coerce.string(),
  tradingNames: z.array(z.object({ name: z.string(), endDate: z.string().nullish() })).nullish(),
});
// Removed, inactive, closed. Who is in receivership or liquidation still trades, under somebody else's eyes.
const nzbnEnded = new Set(['62', '80', '90', '91']);

/** Version 5 of the NZBN's API. */
const nzbnRegister =
  ({ url, key }: RegisterSettings, timeoutMs: number) =>
  async (number: string): Promise<RegisterEntry | null> => {
    const headers = { 'ocp-apim-subscription-key': key, accept: 'application/json' };
    const response = await fetch(`${url}/entities/${number}`, { headers, signal: AbortSignal.timeout(timeoutMs) });
    if (response.status === 404) {
      await response.body?.cancel();
      return null;
    }
    if (!response.ok) throw new Error(`the NZBN register answered ${response.status}`);
    const entity = nzbnEntity.parse(await response.json());
    if (entity.nzbn !== number) throw new Error(`the NZBN register gave ${entity.nzbn} for ${number}`);
    const trading = (entity.tradingNames ?? []).filter(({ endDate }) => !endDate).map(({ name }) => name);
    return { names: namesOf(entity.entityName, trading), isInOperation: !nzbnEnded.has(entity.entityStatusCode) };
  };

const abnDetails = z.object({
  Abn: z.string(),
  AbnStatus: z.string(),
  EntityName: z.string(),
  BusinessName: z.array(z.string()).nullish(),
  Message: z.string(),
});

/** The JSON of ABN Lookup, which comes wrapped as a script, and says in words what went wrong. */
const abnRegister =
  ({ url, key }: RegisterSettings, timeoutMs: number) =>
  async (number: string): Promise<RegisterEntry | null> => {
    const query = new URLSearchParams({ abn: number, guid: key, callback: 'callback' });
    const response = await fetch(`${url}/AbnDetails.aspx?${query.toString()}`, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`the ABN register answered ${response.status}`);
    const [, json = ''] = /^\s*callback\((.*)\)\s*;?\s*$/s.exec(await response.text()) ?? [];
    const details = abnDetails.parse(JSON.parse(json));
    if (details.Abn === '' && /no records? found|not a valid abn/i.test(details.Message)) return null;
    // Such as a key that is not known: that says nothing of the business.
    if (details.Abn !== number) throw new Error(`the ABN register gave “${details.Abn}” for ${number}: ${details.Message}`);
    return { names: namesOf(details.EntityName, details.BusinessName ?? []), isInOperation: details.AbnStatus === 'Active' };
  };

/** The registers that there are keys for. */
export const openRegisters = ({ nzbn, abn }: RegistersSettings, timeoutMs = 10_000): Registers => ({
  nzbn: nzbn && { sandbox: nzbn.sandbox, find: nzbnRegister(nzbn, timeoutMs) },
  abn: abn && { sandbox: abn.sandbox, find: abnRegister(abn, timeoutMs) },
});
