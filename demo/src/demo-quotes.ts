import { publicName } from '@handwise/contract/accounts/public-name';
import { addDays, getDay, getMoment } from '@handwise/contract/dates';
import { markets } from '@handwise/contract/markets';
import type { JobTime } from '@handwise/contract/messages/job-words';
import { findDistrictByCode, findRegionByCode, getRegionTimeZone } from '@handwise/contract/places/regions';
import { addUpQuote } from '@handwise/contract/quotes/amounts';
import { formatQuote } from '@handwise/contract/quotes/words';
import { makeScriptedConversation } from './conversations.ts';
import type { DemoListing } from './listings.ts';
import type { UserRow } from './people.ts';
import type { Random } from './random.ts';
import type { Line } from './words-conversations.ts';
import { buyerQuoteRequests, type DemoQuote, sellerQuoteRequests } from './words-quotes.ts';

type RequestRow = {
  id: string;
  user_id: string;
  client_id: string;
  job: string;
  category_code: number;
  sub_category_code: number | null;
  place: string;
  timing: JobTime;
  wanted_on: string | null;
  created_at: string;
  closed_at: string | null;
};
type ReceiverRow = { request_id: string; place: number; conversation_id: string; number: number };

type QuoteRow = {
  id: string;
  conversation_id: string;
  number: number;
  client_id: string;
  kind: DemoQuote['kind'];
  country: 'NZ' | 'AU';
  gst_included: true;
  total_minor: number;
  gst_minor: number;
  business_name: string;
  customer_name: string;
  notes: string;
  valid_until: string;
  expires_at: string;
  sent_at: string;
};
type QuoteLineRow = { quote_id: string; place: number; description: string; quantity_milli: number; unit_minor: number };

type Input = {
  buyer: UserRow;
  seller: UserRow;
  customers: readonly UserRow[];
  /** Existing conversations; a buyer has one per listing. */
  existing: readonly { listing_id: string; buyer_id: string }[];
  today: number;
};

/** How long a quote is valid. */
const validDays = 14;
const day = 86_400_000;
const hour = 3_600_000;

/** Quote requests of the demo buyer and to the demo seller, with their conversations. */
export function makeDemoQuotes(
  random: Random,
  newId: () => string,
  listings: readonly DemoListing[],
  { buyer, seller, customers, existing, today }: Input,
) {
  const requests: RequestRow[] = [];
  const receivers: ReceiverRow[] = [];
  const conversations: ReturnType<typeof makeScriptedConversation>[] = [];
  const quotes: QuoteRow[] = [];
  const quoteLines: QuoteLineRow[] = [];
  const acceptances: { id: string; at: string }[] = [];
  const known = new Set(existing.map((one) => `${one.listing_id} ${one.buyer_id}`));
  const settled = listings.filter(({ row }) => row.status === 'active' && Date.parse(row.created_at) < today - 20 * day);

  type Receiver = { listing: DemoListing; seen: boolean; lines: readonly Line[]; quote?: DemoQuote };
  const addRequest = (
    request: { daysAgo: number; job: string; when: JobTime; inDays?: number; closedAfterDays?: number },
    { id: userId, full_name: customer }: UserRow,
    own: 'b' | 's',
    businesses: readonly Receiver[],
    kind: { category: number; sub: number | null },
  ) => {
    const [first] = businesses;
    if (!first) throw new Error(`Nobody can be asked for: ${request.job}`);
    const id = newId();
    const { row } = first.listing;
    const begins = today - request.daysAgo * day;
    requests.push({
      id,
      user_id: userId,
      client_id: newId(),
      job: request.job,
      category_code: kind.category,
      sub_category_code: kind.sub,
      place: `${findDistrictByCode(row.district_code)?.name}, ${findRegionByCode(row.region_code)?.name}`,
      timing: request.when,
      wanted_on: request.inDays === undefined ? null : addDays(getDay(new Date(today), 'Pacific/Auckland'), request.inDays),
      created_at: new Date(Math.round(begins)).toISOString(),
      closed_at: request.closedAfterDays === undefined ? null : new Date(Math.round(begins + request.closedAfterDays * day)).toISOString(),
    });
    for (const [index, { listing, seen, lines: spoken, quote }] of businesses.entries()) {
      const { region_code: region, business_title: business } = listing.row;
      const country = listing.row.country === 'AU' ? 'AU' : 'NZ';
      const timeZone = getRegionTimeZone(region, country);
      const sum = addUpQuote(quote?.lines ?? [], { country, gstIncluded: true });
      const validUntil = addDays(getDay(new Date(today), timeZone), validDays);
      const { currency } = markets[country];
      const lines = quote
        ? [
            ...spoken,
            {
              from: 's' as const,
              hours: quote.hours,
              text: formatQuote({ kind: quote.kind, totalMinor: sum.totalMinor, currency, gstIncluded: true, validUntil }),
            },
          ]
        : spoken;
      // Scripts are timed from their end; this gives all of them the same start.
      const hours = lines.reduce((sum, line) => sum + line.hours, 0);
      const script = [{ from: 'b', hours: 0, text: request.job } as const, ...lines];
      const made = makeScriptedConversation(
        newId,
        { daysAgo: request.daysAgo - (hours * hour) / day, seen, lines: script },
        listing,
        userId,
        own,
        today,
      );
      conversations.push(made);
      const last = made.numbered.at(-1);
      if (quote && last) {
        const quoteId = newId();
        quotes.push({
          id: quoteId,
          conversation_id: made.conversation.id,
          number: last.number,
          client_id: newId(),
          kind: quote.kind,
          country,
          gst_included: true,
          total_minor: sum.totalMinor,
          gst_minor: sum.gstMinor,
          business_name: business,
          customer_name: publicName(customer),
          notes: quote.notes,
          valid_until: validUntil,
          expires_at: getMoment(addDays(validUntil, 1), '00:00', timeZone).toISOString(),
          sent_at: last.created_at,
        });
        for (const [place, { description, quantityMilli, unitMinor }] of quote.lines.entries()) {
          quoteLines.push({ quote_id: quoteId, place: place + 1, description, quantity_milli: quantityMilli, unit_minor: unitMinor });
        }
        if (quote.acceptedAfterHours !== undefined) {
          acceptances.push({ id: quoteId, at: new Date(Date.parse(last.created_at) + quote.acceptedAfterHours * hour).toISOString() });
        }
      }
      receivers.push({ request_id: id, place: index + 1, conversation_id: made.conversation.id, number: 1 });
    }
  };

  for (const request of buyerQuoteRequests) {
    const { category, sub, districts, answers } = request;
    const able = settled.filter(
      ({ row }) =>
        districts.includes(row.district_code) &&
        row.category_code === category &&
        (sub === null || row.sub_category_code === sub) &&
        row.seller_id !== seller.id &&
        !known.has(`${row.id} ${buyer.id}`),
    );
    const each = [...new Map(able.map((listing) => [listing.row.seller_id, listing])).values()];
    const receiversOf = random.sample(each, answers.length).flatMap((listing, index) => {
      const answer = answers[index];
      return answer ? [{ listing, ...answer }] : [];
    });
    addRequest(request, buyer, 'b', receiversOf, { category, sub });
  }
  const writers = random.sample(
    customers.filter((one) => !existing.some(({ buyer_id }) => buyer_id === one.id)),
    sellerQuoteRequests.length,
  );
  for (const [index, request] of sellerQuoteRequests.entries()) {
    const listing = settled.find(({ row, subCode }) => row.seller_id === seller.id && subCode === request.about);
    const customer = writers[index];
    if (!listing || !customer) throw new Error(`The demo seller has no listing for: ${request.job}`);
    addRequest(request, customer, 's', [{ listing, ...request }], { category: listing.row.category_code, sub: request.about });
  }
  return {
    requests,
    receivers,
    quotes,
    quoteLines,
    acceptances,
    conversations: conversations.map(({ conversation }) => conversation),
    participants: conversations.flatMap(({ participants }) => participants),
    numbered: conversations.flatMap(({ numbered }) => numbered),
  };
}
