import { formatDate, getDay } from '@handwise/contract/dates';
import { formatGstNumber } from '@handwise/contract/facts/gst-number';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { money } from '@handwise/contract/money';
import { formatPhoneNumber } from '@handwise/contract/phone';
import { findDistrictByCode, findRegionByCode, findRegionByDistrict, getRegionTimeZone } from '@handwise/contract/places/regions';
import { findBuildingRule, formatQuantity } from '@handwise/contract/quotes/amounts';
import { type BuildingRule, listBuildingRules } from '@handwise/contract/quotes/building-rules';
import type { Quote, QuoteSummary } from '@handwise/contract/quotes/calls';
import { getContractSentence, formatValidUntil, getEnding, kindSentences, quoteKinds } from '@handwise/contract/quotes/words';
import { businessRegisters, formatBusinessNumber, getRegister } from '@handwise/contract/registers/business-number';
import { type LicenceRegisterCode, licenceRegisters } from '@handwise/contract/registers/licence-registers';
import { formatBase, slug } from '@handwise/contract/text';
import type { PdfContent } from '../../kit/pdf/pdf.ts';
import { findBaseName } from '../places/places.service.ts';
import type { QuoteBusiness, QuoteLineRow, QuoteRow } from './quotes.queries.ts';
import { getStatusAt, isAccepted } from './quotes.states.ts';

type BusinessRow = {
  country: CountryCode;
  district_code: number;
  base_locality_code: number | null;
  business_phone: string;
  business_email: string;
  business_number: string | null;
  gst_number: string | null;
  gst_registered: boolean;
  licence_register: string | null;
  licence_number: string | null;
  licence_name: string | null;
  licence_hidden: boolean;
  logo: string;
};

/** The numbers of a business, with that of its GST where the quote has some. */
function listNumbers({ country, business_number, gst_number, gst_registered }: BusinessRow, gstIncluded: boolean): string[] {
  const register = getRegister(country);
  const number = business_number === null ? '' : `${businessRegisters[register].number} ${formatBusinessNumber(business_number, register)}`;
  if (!gstIncluded) return [number];
  if (country === 'NZ') return [number, gst_number === null ? '' : `GST number ${formatGstNumber(gst_number)}`];
  return [gst_registered && number ? `Registered for GST, ${number}` : number];
}

/** A customer who gets a quote may know how to reach the business that made it: phone and email, besides what its listing shows. */
export function describeBusiness(row: BusinessRow, gstIncluded: boolean): QuoteBusiness {
  const { licence_register: code, licence_number: licence } = row;
  const licences = code !== null && code in licenceRegisters ? licenceRegisters[code as LicenceRegisterCode] : undefined;
  const base = row.base_locality_code === null ? null : (findBaseName(row.base_locality_code) ?? null);
  const [district, region] = [findDistrictByCode(row.district_code), findRegionByDistrict(row.district_code)].map((one) => one?.name ?? '');
  return {
    lines: [
      formatBase({ base, district: district ?? '', region: region ?? '' }),
      row.business_phone && formatPhoneNumber(row.business_phone),
      row.business_email,
      ...listNumbers(row, gstIncluded),
      licences && licence !== null && !row.licence_hidden ? `Licence ${licence}, ${row.licence_name}, ${licences.name}` : '',
    ].filter(Boolean),
    logo: row.logo,
  };
}

/** "kingi-daughters-Q-1001.pdf": the business's document, by its name. */
export const getPdfName = ({ business, number }: Pick<Quote, 'business' | 'number'>): string =>
  `${[slug(business).slice(0, 60), number].filter(Boolean).join('-')}.pdf`;

const formatQuoteNumber = (number: number) => `Q-${number}`;

export const toQuoteSummary = (row: QuoteRow, userId: string, now: Date): QuoteSummary => ({
  _id: row.id,
  conversationId: row.conversation_id,
  role: row.buyer_id === userId ? 'buyer' : 'seller',
  state: getStatusAt(row, now),
  kind: row.kind,
  gstIncluded: row.gst_included,
  validUntil: row.valid_until,
  totalMinor: row.total_minor,
  currency: markets[row.country].currency,
});

type Work = { country: CountryCode; region_code: number; category_code: number; sub_category_code: number | null };

/** The rules about the work of a listing at a time, for the reminder on its quotes. */
export function listRulesOf(
  { country, region_code: region, category_code: categoryCode, sub_category_code: sub }: Work,
  at: Date,
): BuildingRule[] {
  const state = findRegionByCode(region)?.abbreviation ?? null;
  return listBuildingRules({ country, state, categoryCode, subCategoryCode: sub }, getDay(at, getRegionTimeZone(region, country)));
}

export function toQuote(row: QuoteRow, lines: readonly QuoteLineRow[], userId: string, now: Date): Quote {
  // Until the job has run, a quote whose time is over has no time of its end.
  const closedAt = row.closed_at ?? (row.expires_at <= now ? row.expires_at : null);
  return {
    ...toQuoteSummary(row, userId, now),
    number: formatQuoteNumber(row.quote_number),
    messageNumber: row.number,
    business: row.business_name,
    customer: row.customer_name,
    gstPercent: markets[row.country].gstPercent,
    lines: lines
      .filter((line) => line.quote_id === row.id)
      .map((line) => ({
        description: line.description,
        quantityMilli: line.quantity_milli,
        unitMinor: line.unit_minor,
        amountMinor: line.amount_minor,
      })),
    gstMinor: row.gst_minor,
    notes: row.notes,
    startsOn: row.starts_on,
    sentAt: row.sent_at.toISOString(),
    seenAt: row.seen_at?.toISOString() ?? null,
    closedAt: closedAt?.toISOString() ?? null,
    decline: row.decline_reason === null ? null : { reason: row.decline_reason, note: row.decline_note },
    buildingRule: findBuildingRule(listRulesOf(row, row.sent_at), row.total_minor),
  };
}

/** The PDF of a quote, from what the page shows. */
export function toQuotePdf(quote: Quote, row: QuoteRow, logo: Uint8Array | null): PdfContent {
  const day = (time: string) => formatDate(time, getRegionTimeZone(row.region_code, row.country));
  const price = (minor: number) => money(minor, quote.currency);
  const { totalMinor, gstMinor, gstIncluded, closedAt } = quote;
  const isAgreed = isAccepted(quote.state) && closedAt !== null;
  const ending = quote.decline ? 'The customer has declined it.' : getEnding(quote.state);
  return {
    title: quoteKinds[quote.kind],
    number: quote.number,
    country: row.country,
    issuedAt: quote.sentAt,
    facts: [
      ['Number', quote.number],
      ['Date', day(quote.sentAt)],
      ['Valid until', formatValidUntil(quote.validUntil)],
      ...(quote.startsOn === null ? [] : [['Work starts', formatDate(quote.startsOn, 'UTC')] as const]),
      ...(isAgreed ? [['Accepted', day(closedAt)] as const] : []),
    ],
    remark: ending ?? null,
    supplier: { name: quote.business, address: null, taxNumber: null, own: { lines: row.business?.lines ?? [], logo } },
    customer: { name: quote.customer, email: null },
    lines: quote.lines.map((line) => ({
      text: line.description,
      detail: `${formatQuantity(line.quantityMilli)} × ${price(line.unitMinor)}`,
      amount: price(line.amountMinor),
    })),
    sums: gstIncluded
      ? [
          ['Subtotal without GST', price(totalMinor - gstMinor)],
          [`GST (${quote.gstPercent} %)`, price(gstMinor)],
          ['Total, GST included', price(totalMinor)],
        ]
      : [['Total, no GST', price(totalMinor)]],
    notes: [
      kindSentences[quote.kind],
      ...(gstIncluded ? [] : ['The business is not registered for GST.']),
      getContractSentence(),
      ...(quote.notes === '' ? [] : [' ', quote.notes]),
    ],
  };
}
