import { z } from 'zod';
import type { BusinessRegister } from '@handwise/contract/registers/business-number';
import {
  licenceFields,
  licencePaths,
  type LicenceRegister,
  type LicenceRegisterSettings,
  openLicenceRegister,
} from './licence-register.ts';

/** URL and key of a business register. `sandbox`: whether it is the stand-in. */
export type RegisterSettings = { url: string; key: string; sandbox: boolean };

/** A register's entry: the registered name first, then the trading names. */
export type RegisterEntry = { names: [string, ...string[]]; isInOperation: boolean };

type Register = {
  sandbox: boolean;
  /** Null if the number does not exist. Throws on an invalid response. */
  find: (number: string) => Promise<RegisterEntry | null>;
};

/** Null for a register without a key. `nsw`: the register of licences of New South Wales. */
export type Registers = Readonly<Record<BusinessRegister, Register | null>> & { readonly nsw: LicenceRegister | null };
export type RegistersSettings = Readonly<Record<BusinessRegister, RegisterSettings | null>> & {
  readonly nsw?: LicenceRegisterSettings | null;
};

export const nzbnAddress = 'https://api.business.govt.nz/gateway/nzbn/v5';
export const abnAddress = 'https://abr.business.gov.au/json';

/** The key of the sandbox's stand-in. */
export const sandboxRegistersKey = 'sandbox';

/** Settings of the sandbox's stand-in, which serves all registers. */
export const createSandboxRegisters = (url: string) =>
  ({
    nzbn: { url: `${url}/nzbn/v5`, key: sandboxRegistersKey, sandbox: true },
    abn: { url: `${url}/json`, key: sandboxRegistersKey, sandbox: true },
    nsw: {
      key: sandboxRegistersKey,
      secret: sandboxRegistersKey,
      paths: {
        ...licencePaths,
        token: `${url}/oauth/client_credential/accesstoken?grant_type=client_credentials`,
        base: `${url}/tradesregister/v1`,
      },
      fields: licenceFields,
      sandbox: true,
    },
  }) satisfies RegistersSettings;

const longestName = 300;
const listNames = (first: string, others: readonly string[]): [string, ...string[]] => [
  first.slice(0, longestName),
  ...others.filter((name) => name !== '').map((name) => name.slice(0, longestName)),
];

const nzbnEntity = z.object({
  nzbn: z.string(),
  entityName: z.string().min(1),
  entityStatusCode: z.coerce.string(),
  tradingNames: z.array(z.object({ name: z.string(), endDate: z.string().nullish() })).nullish(),
});
// Removed, inactive, closed. A business in receivership or liquidation still trades.
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
    return { names: listNames(entity.entityName, trading), isInOperation: !nzbnEnded.has(entity.entityStatusCode) };
  };

const abnDetails = z.object({
  Abn: z.string(),
  AbnStatus: z.string(),
  EntityName: z.string(),
  BusinessName: z.array(z.string()).nullish(),
  Message: z.string(),
});

/** ABN Lookup returns JSONP, with errors as text. */
const abnRegister =
  ({ url, key }: RegisterSettings, timeoutMs: number) =>
  async (number: string): Promise<RegisterEntry | null> => {
    const query = new URLSearchParams({ abn: number, guid: key, callback: 'callback' });
    const response = await fetch(`${url}/AbnDetails.aspx?${query.toString()}`, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`the ABN register answered ${response.status}`);
    const text = (await response.text()).trim().replace(/;$/, '').trimEnd();
    const json = text.startsWith('callback(') && text.endsWith(')') ? text.slice('callback('.length, -1) : '';
    const details = abnDetails.parse(JSON.parse(json));
    if (details.Abn === '' && /no records? found|not a valid abn/i.test(details.Message)) return null;
    // For example an unknown key, which does not mean that the business does not exist.
    if (details.Abn !== number) throw new Error(`the ABN register gave “${details.Abn}” for ${number}: ${details.Message}`);
    return { names: listNames(details.EntityName, details.BusinessName ?? []), isInOperation: details.AbnStatus === 'Active' };
  };

/** Opens the registers with keys. */
export const openRegisters = ({ nzbn, abn, nsw }: RegistersSettings, timeoutMs = 10_000): Registers => ({
  nzbn: nzbn && { sandbox: nzbn.sandbox, find: nzbnRegister(nzbn, timeoutMs) },
  abn: abn && { sandbox: abn.sandbox, find: abnRegister(abn, timeoutMs) },
  nsw: nsw ? openLicenceRegister(nsw, timeoutMs) : null,
});
