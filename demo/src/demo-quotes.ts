import { publicName } from '@handwise/contract/accounts/public-name';
import { addDays, getDay, getMoment } from '@handwise/contract/dates';
import { markets } from '@handwise/contract/markets';
import type { QuoteTime } from '@handwise/contract/messages/quote-words';
import { findDistrictByCode, findRegionByCode, getRegionTimeZone } from '@handwise/contract/places/regions';
import { addUpQuote } from '@handwise/contract/quotes/amounts';
import { formatOffer } from '@handwise/contract/quotes/words';
import { makeScriptedConversation } from './conversations.ts';
import type { DemoListing } from './listings.ts';
import type { UserRow } from './people.ts';
import type { Random } from './random.ts';
import type { Line } from './words-conversations.ts';
import { buyerQuotes, type Offer, sellerQuotes } from './words-quotes.ts';

type RequestRow = {
  id: string;
  user_id: string;
  client_id: string;
  job: string;
  category_code: number;
  sub_category_code: number | null;
  place: string;
  timing: QuoteTime;
  wanted_on: string | null;
  created_at: string;
  closed_at: string | null;
};
type ReceiverRow = { request_id: string; place: number; conversation_id: string; number: number };

type OfferRow = {
  id: string;
  conversation_id: string;
  number: number;
  client_id: string;
  kind: Offer['kind'];
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
type OfferLineRow = { quote_id: string; place: number; description: string; quantity_milli: number; unit_minor: number };

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
  const offers: OfferRow[] = [];
  const offerLines: OfferLineRow[] = [];
  const acceptances: { id: string; at: string }[] = [];
  const known = new Set(existing.map((one) => `${one.listing_id} ${one.buyer_id}`));
  const settled = listings.filter(({ row }) => row.status === 'active' && Date.parse(row.created_at) < today - 20 * day);

  type Receiver = { listing: DemoListing; seen: boolean; lines: readonly Line[]; offer?: Offer };
  const addRequest = (
    quote: { daysAgo: number; job: string; when: QuoteTime; inDays?: number; closedAfterDays?: number },
    { id: userId, full_name: customer }: UserRow,
    own: 'b' | 's',
    businesses: readonly Receiver[],
    kind: { category: number; sub: number | null },
  ) => {
    const [first] = businesses;
    if (!first) throw new Error(`Nobody can be asked for: ${quote.job}`);
    const id = newId();
    const { row } = first.listing;
    const begins = today - quote.daysAgo * day;
    requests.push({
      id,
      user_id: userId,
      client_id: newId(),
      job: quote.job,
      category_code: kind.category,
      sub_category_code: kind.sub,
      place: `${findDistrictByCode(row.district_code)?.name}, ${findRegionByCode(row.region_code)?.name}`,
      timing: quote.when,
      wanted_on: quote.inDays === undefined ? null : addDays(getDay(new Date(today), 'Pacific/Auckland'), quote.inDays),
      created_at: new Date(Math.round(begins)).toISOString(),
      closed_at: quote.closedAfterDays === undefined ? null : new Date(Math.round(begins + quote.closedAfterDays * day)).toISOString(),
    });
    for (const [index, { listing, seen, lines: spoken, offer }] of businesses.entries()) {
      const { region_code: region, business_title: business } = listing.row;
      const country = listing.row.country === 'AU' ? 'AU' : 'NZ';
      const timeZone = getRegionTimeZone(region, country);
      const sum = addUpQuote(offer?.lines ?? [], { country, gstIncluded: true });
      const validUntil = addDays(getDay(new Date(today), timeZone), validDays);
      const { currency } = markets[country];
      const lines = offer
        ? [
            ...spoken,
            {
              from: 's' as const,
              hours: offer.hours,
              text: formatOffer({ kind: offer.kind, totalMinor: sum.totalMinor, currency, gstIncluded: true, validUntil }),
            },
          ]
        : spoken;
      // Scripts are timed from their end; this gives all of them the same start.
      const hours = lines.reduce((sum, line) => sum + line.hours, 0);
      const script = [{ from: 'b', hours: 0, text: quote.job } as const, ...lines];
      const made = makeScriptedConversation(
        newId,
        { daysAgo: quote.daysAgo - (hours * hour) / day, seen, lines: script },
        listing,
        userId,
        own,
        today,
      );
      conversations.push(made);
      const last = made.numbered.at(-1);
      if (offer && last) {
        const offerId = newId();
        offers.push({
          id: offerId,
          conversation_id: made.conversation.id,
          number: last.number,
          client_id: newId(),
          kind: offer.kind,
          country,
          gst_included: true,
          total_minor: sum.totalMinor,
          gst_minor: sum.gstMinor,
          business_name: business,
          customer_name: publicName(customer),
          notes: offer.notes,
          valid_until: validUntil,
          expires_at: getMoment(addDays(validUntil, 1), '00:00', timeZone).toISOString(),
          sent_at: last.created_at,
        });
        for (const [place, { description, quantityMilli, unitMinor }] of offer.lines.entries()) {
          offerLines.push({ quote_id: offerId, place: place + 1, description, quantity_milli: quantityMilli, unit_minor: unitMinor });
        }
        if (offer.acceptedAfterHours !== undefined) {
          acceptances.push({ id: offerId, at: new Date(Date.parse(last.created_at) + offer.acceptedAfterHours * hour).toISOString() });
        }
      }
      receivers.push({ request_id: id, place: index + 1, conversation_id: made.conversation.id, number: 1 });
    }
  };

  for (const quote of buyerQuotes) {
    const { category, sub, districts, answers } = quote;
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
    addRequest(quote, buyer, 'b', receiversOf, { category, sub });
  }
  const writers = random.sample(
    customers.filter((one) => !existing.some(({ buyer_id }) => buyer_id === one.id)),
    sellerQuotes.length,
  );
  for (const [index, quote] of sellerQuotes.entries()) {
    const listing = settled.find(({ row, subCode }) => row.seller_id === seller.id && subCode === quote.about);
    const customer = writers[index];
    if (!listing || !customer) throw new Error(`The demo seller has no listing for: ${quote.job}`);
    addRequest(quote, customer, 's', [{ listing, ...quote }], { category: listing.row.category_code, sub: quote.about });
  }
  return {
    requests,
    receivers,
    offers,
    offerLines,
    acceptances,
    conversations: conversations.map(({ conversation }) => conversation),
    participants: conversations.flatMap(({ participants }) => participants),
    numbered: conversations.flatMap(({ numbered }) => numbered),
  };
}
