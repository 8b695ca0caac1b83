import { createServer } from 'node:http';
import pg from 'pg';
import { factColumns } from '@handwise/contract/facts/facts';
import { maxReviewsOfDetail, pageSize } from '@handwise/contract/listings/calls';
import { findCategory } from '@handwise/contract/listings/categories';
import { findRegion } from '@handwise/contract/places/regions';
import type { ListingCardRow, DetailRow } from '@handwise/server/domains/listings/listings.queries';
import { toCard, toListing } from '@handwise/server/domains/listings/listings.views';
import type { AnyReviewRow } from '@handwise/server/domains/reviews/reviews.queries';
import { newestReviews } from '@handwise/server/domains/reviews/reviews.service';

// The most that the machine gives: bare HTTP and named prepared statements on the same tables and indexes, answering the
// same bytes as the product. No validation, errors, headers or limits; totals are cached for 30 s.
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });

const cardColumns = `id, listing_number, seller_id, status, plan_rank, subscription_ends_at, country, region_code, district_code, main_category,
  category_code, sub_category_code, service_title, service_description, services, pictures, business_title, logo, logo_color, rating_counts, created_at,
  ${factColumns.join(', ')}, answers_within_day, answer_minutes, answers_given, answers_of,
  case when verified then (select jsonb_agg(jsonb_build_object('register', register, 'number', number, 'name', register_name, 'at', checked_at,
    'sandbox', sandbox)) from register_checks where listing_id = listings.id and state = 'verified') end as verified_by, null as availability`;

const totals = new Map<string, { total: number; until: number }>();
async function countCached(key: string, count: () => Promise<number>) {
  const cached = totals.get(key);
  if (cached && cached.until > Date.now()) return cached.total;
  const counted = await count();
  totals.set(key, { total: counted, until: Date.now() + 30_000 });
  return counted;
}

/** Statements without a name are planned for their values, as a text needs it. */
async function list(name: string | null, condition: string, values: (string | number)[], page: number) {
  const query = <Row extends pg.QueryResultRow>(kind: string, text: string, parameters: (string | number)[]) =>
    pool.query<Row>({ ...(name && { name: `${kind} ${name}` }), text, values: parameters });
  const where = `status = 'active' and ${condition}`;
  const [found, total] = await Promise.all([
    query<ListingCardRow>(
      'list',
      `select ${cardColumns} from listings where ${where} order by sort_key desc limit ${pageSize} offset $${values.length + 1}`,
      [...values, (page - 1) * pageSize],
    ),
    countCached(`${condition} ${values.join(' ')}`, async () => {
      const counting = `select count(*)::int as total from (select from listings where ${where} limit 1001) as counted`;
      return (await query<{ total: number }>('count', counting, values)).rows[0]?.total ?? 0;
    }),
  ]);
  return {
    listings: found.rows.map(toCard),
    currentPage: page,
    totalPages: Math.min(50, Math.ceil(total / pageSize)),
    totalListings: Math.min(total, 1_000),
    totalIsExact: total <= 1_000,
  };
}

async function detail(id: string) {
  const { rows } = await pool.query<DetailRow & { reviews: AnyReviewRow[] }>({
    name: 'detail',
    text: `select listings.*, users.created_at as seller_since,
      (select coalesce(json_agg(newest), '[]') from (
        (select reviews.id, rating, comment, reviews.created_at, edited_at, answer, answered_at, username, full_name, avatar,
          null::timestamptz as removed_at, null as removed_because
        from reviews join users on users.id = author_id where listing_id = listings.id and removed_at is null
        order by reviews.created_at desc, reviews.id desc limit ${maxReviewsOfDetail})
        union all
        (select id, 0, '', created_at, null, null, null, '', '', '', removed_at, removed_because
        from reviews where listing_id = listings.id and removed_at is not null
        order by removed_at desc limit ${maxReviewsOfDetail})) as newest) as reviews
      from (select ${cardColumns}, business_info, business_email, website from listings where id = $1) as listings
      join users on users.id = listings.seller_id`,
    values: [id],
  });
  const [row] = rows;
  return row && toListing(row, newestReviews.show(row.reviews), false);
}

async function answer(address: string) {
  const url = new URL(address, 'http://floor');
  if (url.pathname !== '/api/listing/all') return detail(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
  const parameter = (name: string) => url.searchParams.get(name) ?? '';
  const page = Number(parameter('page') || 1);
  const category = findCategory(parameter('category'))?.code;
  const region = findRegion(parameter('region'))?.code;
  // For a text that is known to be one whole word, which needs no correction.
  if (parameter('title')) return list(null, 'search_document @@ $1::tsquery', [`'${parameter('title')}'`], page);
  if (category && region) return list('category+region', 'category_code = $1 and region_code = $2', [category, region], page);
  if (category) return list('category', 'category_code = $1', [category], page);
  return list('all', 'true', [], page);
}

createServer((request, response) => {
  const respond = (body: unknown) => {
    const bytes = Buffer.from(JSON.stringify(body ?? null));
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length }).end(bytes);
  };
  answer(request.url ?? '/').then(respond, (error: unknown) => response.writeHead(500).end(String(error)));
}).listen(Number(process.env['PORT']), '127.0.0.1');
