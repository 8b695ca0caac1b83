import { z } from 'zod';
import { showDrawCall } from '@handwise/contract/draws/calls';
import { getListingCall, pageSize } from '@handwise/contract/listings/calls';
import { categories, mainCategories } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { paths } from '@handwise/contract/paths';
import { findListingsCall, type FindQuery } from '@handwise/contract/search/calls';
import { searchPlacesCall } from '@handwise/contract/search/places';
import { isTradeShown } from '@handwise/contract/site/open';
import { getPublicDraw } from '../domains/draws/draws.service.ts';
import type { DrawContext } from '../domains/draws/draws.service.ts';
import { getListing } from '../domains/listings/listings.service.ts';
import { newestReviews } from '../domains/reviews/reviews.service.ts';
import { searchByText, countSearchPlaces, type SearchParts } from '../domains/search/search.service.ts';
import { AppError } from '../kit/errors.ts';

/** `market` is that of the requested host; `origin` is the one that links lead to. */
export type ToolContext = { context: DrawContext; search: SearchParts; market: CountryCode | null; origin: string };

export type Tool = {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  output: z.ZodObject;
  run: (context: ToolContext, input: unknown) => Promise<Record<string, unknown>>;
};

// The input has been parsed by the schema in `mcp.server.ts`.
const tool = <I extends z.ZodObject, O extends z.ZodObject>(
  parts: Omit<Tool, 'input' | 'output' | 'run'> & {
    input: I;
    output: O;
    run: (context: ToolContext, input: z.output<I>) => Promise<z.input<O>>;
  },
): Tool => ({ ...parts, run: (context, input) => parts.run(context, input as z.output<I>) });

const address = z.url().meta({ description: 'A page to show to the person. Writing to a business is up to them, on that page' });
const order =
  'Results are ordered by paid plan (featured, premium, basic), then by how well the words fit, then newest first, unless sort says otherwise.';

/** The URL of the page with the same search. */
const formatSearchUrl = (origin: string, search: FindQuery) => {
  const params = Object.entries(search).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return `${origin}${paths.search}?${new URLSearchParams(params).toString()}`;
};

const search = tool({
  name: 'search',
  title: 'Search tradespeople and home services',
  description: `Find tradespeople and home services in New Zealand and Australia by what is needed, where, and filters such as rating or verified. ${order} The answer says how the words were interpreted.`,
  input: findListingsCall.query,
  output: findListingsCall.response.extend({
    links: z.object({ page: address, listings: z.record(z.uuid(), address).meta({ description: 'The page of each listing, by its id' }) }),
  }),
  run: async ({ search: parts, market, origin }, query) => {
    const found = await searchByText(parts, query, market);
    const listings = Object.fromEntries(found.listings.map(({ _id: id }) => [id, origin + paths.listing(id)]));
    return { ...found, links: { page: formatSearchUrl(origin, query), listings } };
  },
});

const listing = tool({
  name: 'listing',
  title: 'Read one listing',
  description: 'Read one active listing in full, with its latest reviews and what was checked about the business.',
  input: z.strictObject(getListingCall.params.shape),
  output: getListingCall.response.extend({ links: z.object({ page: address }) }),
  run: async ({ context, origin }, { id }) => ({
    ...(await getListing(context.db, id, null, newestReviews)),
    links: { page: origin + paths.listing(id) },
  }),
});

const categoryList = tool({
  name: 'categories',
  title: 'List the categories',
  description: 'List all groups and their sub-categories, in the form that a search takes as category and subCategory.',
  input: z.strictObject({}),
  output: z.object({
    categories: z.array(
      z.object({
        name: z.string(),
        slug: z.string(),
        mainCategory: z.enum(mainCategories),
        subCategories: z.array(z.object({ name: z.string(), slug: z.string() })),
        page: address,
      }),
    ),
  }),
  run: async ({ origin }) => ({
    categories: categories
      .filter(({ slug }) => isTradeShown(slug))
      .map(({ name, slug, mainCategory: main, subCategories }) => ({
        name,
        slug,
        mainCategory: main,
        subCategories: subCategories.map((sub) => ({ name: sub.name, slug: sub.slug })),
        page: origin + paths.servicesIn(slug),
      })),
  }),
});

const places = tool({
  name: 'places',
  title: 'Count the listings of a search by place',
  description: 'Count how many listings a search finds in each region, in each district of a region, or in each town of a district.',
  input: searchPlacesCall.query,
  output: searchPlacesCall.response,
  run: ({ search: parts, market }, query) => countSearchPlaces(parts, query, market),
});

const card = findListingsCall.response.shape.listings.element.shape;

const why = tool({
  name: 'why',
  title: 'Explain a listing’s position in a search',
  description: `Explain why a listing has its position in a search: whether the position is paid for, and which of its fields match the words. ${order} Give the same parameters as for the search, including its page.`,
  input: findListingsCall.query.extend({ listing: z.uuid('Use the id of a listing') }),
  output: z.object({
    position: z
      .int()
      .nullable()
      .meta({ description: 'Position in the whole list, counted from 1; null where the search took too long to put all matches in order' }),
    totalListings: z
      .int()
      .nullable()
      .meta({ description: 'Exact up to 1,000; 1,000 where more match; null where they were not all found in time' }),
    totalIsExact: z.boolean(),
    paidPlacement: z
      .boolean()
      .meta({ description: 'True if it comes first because it is paid for, although this order does not go by plan' }),
    why: card.why,
    links: z.object({ page: address, listing: address }),
  }),
  run: async ({ search: parts, market, origin }, { listing: id, ...query }) => {
    const found = await searchByText(parts, query, market);
    const index = found.listings.findIndex((one) => one._id === id);
    const shown = found.listings[index];
    if (!shown) {
      if (found.totalListings === null) throw new AppError('search_timed_out');
      throw new AppError('listing_not_found', { message: 'This listing is not on this page of the search.' });
    }
    return {
      position: found.totalListings === null ? null : (found.currentPage - 1) * (query.limit ?? pageSize) + index + 1,
      totalListings: found.totalListings,
      totalIsExact: found.totalIsExact,
      paidPlacement: shown.paidPlacement ?? false,
      why: shown.why,
      links: { page: formatSearchUrl(origin, query), listing: origin + paths.listing(id) },
    };
  },
});

const drawProof = tool({
  name: 'draw_proof',
  title: 'Look up a monthly prize draw and its proof',
  description:
    'Look up a month’s prize draw: the published root of its entries, the round of public randomness, and who won. Once it has closed, links lead to the proof file and all its papers, so that anyone can check it.',
  input: z.strictObject(showDrawCall.params.shape),
  output: showDrawCall.response.extend({
    links: z.object({
      page: address,
      rules: address,
      proof: address.nullable().meta({ description: 'The proof file (draw-v1); null until the draw closes' }),
      pack: address.nullable().meta({ description: 'All papers as a zip; null until the draw closes' }),
    }),
  }),
  run: async ({ context, origin }, { period }) => {
    const draw = await getPublicDraw(context, period);
    const file = (name: string) => (draw.closedAt === null ? null : `${origin}/api/draws/${period}/${name}`);
    return {
      draw,
      links: { page: origin + paths.draw(period), rules: origin + paths.drawRules, proof: file('proof'), pack: file('pack') },
    };
  },
});

export const tools: readonly Tool[] = [search, listing, categoryList, places, why, drawProof];
