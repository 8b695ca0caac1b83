import type { CountryCode } from '../markets.ts';
import { parseUrl } from '../urls.ts';

type LicenceRegister = { country: CountryCode; name: string; trades: string; page: string };

/** The public registers of licensed trades: operator, trades, and the page to look a licence up. */
export const licenceRegisters = {
  pgdb: {
    country: 'NZ',
    name: 'Plumbers, Gasfitters and Drainlayers Board',
    trades: 'plumbers, gasfitters, drainlayers',
    page: 'https://www.pgdb.co.nz/',
  },
  ewrb: { country: 'NZ', name: 'Electrical Workers Registration Board', trades: 'electricians', page: 'https://www.ewrb.govt.nz/' },
  lbp: {
    country: 'NZ',
    name: 'Licensed Building Practitioners',
    trades: 'builders, roofers, bricklayers, external plasterers',
    page: 'https://www.lbp.govt.nz/',
  },
  nsw: {
    country: 'AU',
    name: 'NSW Fair Trading',
    trades: 'building and trades in New South Wales',
    page: 'https://verify.licence.nsw.gov.au/',
  },
  qbcc: {
    country: 'AU',
    name: 'Queensland Building and Construction Commission',
    trades: 'building and plumbing in Queensland',
    page: 'https://www.qbcc.qld.gov.au/',
  },
  qld_electrical: {
    country: 'AU',
    name: 'Electrical Safety Office Queensland',
    trades: 'electricians in Queensland',
    page: 'https://www.electricalsafety.qld.gov.au/',
  },
  bpc: {
    country: 'AU',
    name: 'Building and Plumbing Commission',
    trades: 'building and plumbing in Victoria',
    page: 'https://www.bpc.vic.gov.au/',
  },
  esv: { country: 'AU', name: 'Energy Safe Victoria', trades: 'electricians in Victoria', page: 'https://www.energysafe.vic.gov.au/' },
  wa: {
    country: 'AU',
    name: 'Building and Energy, Western Australia',
    trades: 'building, plumbing and electrical work in Western Australia',
    page: 'https://www.wa.gov.au/organisation/building-and-energy',
  },
  sa: {
    country: 'AU',
    name: 'Consumer and Business Services, South Australia',
    trades: 'building, plumbing and electrical work in South Australia',
    page: 'https://www.cbs.sa.gov.au/',
  },
  tas: {
    country: 'AU',
    name: 'Consumer, Building and Occupational Services, Tasmania',
    trades: 'building, plumbing and electrical work in Tasmania',
    page: 'https://www.cbos.tas.gov.au/',
  },
  act: {
    country: 'AU',
    name: 'Access Canberra',
    trades: 'building, plumbing and electrical work in the ACT',
    page: 'https://www.accesscanberra.act.gov.au/',
  },
  nt: {
    country: 'AU',
    name: 'Building Practitioners Board, Northern Territory',
    trades: 'building in the Northern Territory',
    page: 'https://bpb.nt.gov.au/',
  },
  arc: {
    country: 'AU',
    name: 'Australian Refrigeration Council',
    trades: 'refrigeration and air conditioning',
    page: 'https://www.arctick.org/',
  },
  pspla: {
    country: 'NZ',
    name: 'Private Security Personnel Licensing Authority',
    trades: 'alarms and security',
    page: 'https://www.justice.govt.nz/tribunals/licences-certificates/pspla/',
  },
  worksafe: {
    country: 'NZ',
    name: 'WorkSafe New Zealand',
    trades: 'asbestos removal',
    page: 'https://www.worksafe.govt.nz/topic-and-industry/asbestos/licensing/',
  },
  nsw_police: {
    country: 'AU',
    name: 'NSW Police, Security Licensing',
    trades: 'security in New South Wales',
    page: 'https://www.police.nsw.gov.au/online_services/sled',
  },
  nsw_epa: {
    country: 'AU',
    name: 'NSW Environment Protection Authority',
    trades: 'pest control in New South Wales',
    page: 'https://www.epa.nsw.gov.au/',
  },
  qld_worksafe: {
    country: 'AU',
    name: 'WorkSafe Queensland',
    trades: 'electrical work and asbestos in Queensland',
    page: 'https://www.worksafe.qld.gov.au/',
  },
  qld_fair_trading: {
    country: 'AU',
    name: 'Queensland Office of Fair Trading',
    trades: 'security in Queensland',
    page: 'https://www.qld.gov.au/law/fair-trading',
  },
  qld_health: {
    country: 'AU',
    name: 'Queensland Health',
    trades: 'pest control in Queensland',
    page: 'https://www.health.qld.gov.au/public-health/industry-environment/pest-management',
  },
  vic_police: {
    country: 'AU',
    name: 'Victoria Police, Licensing',
    trades: 'security in Victoria',
    page: 'https://www.police.vic.gov.au/private-security',
  },
  vic_health: {
    country: 'AU',
    name: 'Victorian Department of Health',
    trades: 'pest control in Victoria',
    page: 'https://www.health.vic.gov.au/environmental-health/pest-control',
  },
  vic_worksafe: { country: 'AU', name: 'WorkSafe Victoria', trades: 'asbestos in Victoria', page: 'https://www.worksafe.vic.gov.au/' },
  wa_commerce: {
    country: 'AU',
    name: 'Building and Energy licence search',
    trades: 'building, plumbing and electrical work in Western Australia',
    page: 'https://www.commerce.wa.gov.au/building-and-energy',
  },
  wa_police: {
    country: 'AU',
    name: 'WA Police, Licensing',
    trades: 'security in Western Australia',
    page: 'https://www.police.wa.gov.au/About-Us/Our-Agency/Police-Licensing-Services/Security',
  },
  wa_health: {
    country: 'AU',
    name: 'WA Health',
    trades: 'pest control in Western Australia',
    page: 'https://ww2.health.wa.gov.au/Articles/N_R/Pest-industry-licensing-and-registration',
  },
  wa_worksafe: {
    country: 'AU',
    name: 'WorkSafe WA',
    trades: 'asbestos and demolition in Western Australia',
    page: 'https://www.worksafe.wa.gov.au/',
  },
  sa_health: { country: 'AU', name: 'SA Health', trades: 'pest control in South Australia', page: 'https://www.sahealth.sa.gov.au/' },
  sa_safework: { country: 'AU', name: 'SafeWork SA', trades: 'asbestos in South Australia', page: 'https://www.safework.sa.gov.au/' },
  tas_worksafe: { country: 'AU', name: 'WorkSafe Tasmania', trades: 'asbestos in Tasmania', page: 'https://worksafe.tas.gov.au/' },
  tas_nre: { country: 'AU', name: 'NRE Tasmania', trades: 'pest control in Tasmania', page: 'https://nre.tas.gov.au/' },
  nt_plumbing: {
    country: 'AU',
    name: 'Plumbers and Drainers Licensing Board',
    trades: 'plumbing in the Northern Territory',
    page: 'https://plumberslicensing.nt.gov.au/',
  },
  nt_worksafe: {
    country: 'AU',
    name: 'NT WorkSafe',
    trades: 'electrical and gas work in the Northern Territory',
    page: 'https://worksafe.nt.gov.au/',
  },
  nt_pest: {
    country: 'AU',
    name: 'NT pest management register',
    trades: 'pest control in the Northern Territory',
    page: 'https://nt.gov.au/industry/licences/apply-for-pest-management-technician-licence',
  },
} as const satisfies Record<string, LicenceRegister>;
export type LicenceRegisterCode = keyof typeof licenceRegisters;

const hostOf = (address: string) => parseUrl(address)?.host.replace(/^www\./, '');

/** The register whose page is at the host of an address, or at the domain that it belongs to; null if none is. */
export function findRegisterByAddress(address: string, country: CountryCode): LicenceRegisterCode | null {
  const host = hostOf(address);
  if (host === undefined) return null;
  const codes = (Object.keys(licenceRegisters) as LicenceRegisterCode[]).filter((code) => licenceRegisters[code].country === country);
  return (
    codes.find((code) => hostOf(licenceRegisters[code].page) === host) ??
    codes.find((code) => host.endsWith(`.${hostOf(licenceRegisters[code].page)}`)) ??
    null
  );
}
