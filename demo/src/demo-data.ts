import type pg from 'pg';
import { siteTimeZone } from '@handwise/contract/dates';
import { factColumns } from '@handwise/contract/facts/facts';
import { plans } from '@handwise/contract/plans/table';
import { argon2id } from '@handwise/server/kit/argon2id';
import { demoPasswords } from '@handwise/server/startup/demo-accounts';
import { type Demo, demoSeed, generateDemo } from './generate.ts';
import { type StoredPicture, storeLogos, storePictures } from './pictures.ts';

const batchSize = 2000;

/** Inserts plain rows whose keys are the table's columns. */
async function insertRows(client: pg.Client, table: string, columns: readonly string[], rows: readonly object[]) {
  const names = columns.join(', ');
  for (let from = 0; from < rows.length; from += batchSize) {
    const json = JSON.stringify(rows.slice(from, from + batchSize));
    await client.query(
      `insert into ${table} (${names}) select ${names} from jsonb_populate_recordset(null::${table}, $1::jsonb) order by ${columns[0]}`,
      [json],
    );
  }
}

const noProfile = { phone_number: '', address: '', about: '' };
// Private profile data of the demo accounts.
const profiles = new Map([
  [
    'seller@example.com',
    {
      phone_number: '021 555 0142',
      address: '12 Rimu Street\nHataitai\nWellington 6021',
      about: 'I have run Harbour View Handyman since 2009, with two vans and a dog.',
    },
  ],
  ['buyer@example.com', { phone_number: '027 555 0163', address: '4 Kōwhai Lane\nNapier 4110', about: 'We are doing up an old villa.' }],
]);
const profileOf = (email: string) => profiles.get(email) ?? noProfile;

async function writeRows(client: pg.Client, demo: Demo, pictures: readonly StoredPicture[], logos: readonly string[]) {
  const hashes = new Map<string, string>(
    await Promise.all(Object.entries(demoPasswords).map(async ([email, password]) => [email, await argon2id.hash(password)] as const)),
  );
  const users = demo.users.map((user) => ({ ...user, password_hash: hashes.get(user.email) ?? user.password_hash }));
  // In two steps, because a row may name the referral code of another.
  const isReferred = (user: { referred_by_code: string | null }) => user.referred_by_code !== null;
  const userColumns = [
    'id',
    'full_name',
    'username',
    'email',
    'password_hash',
    'role',
    'avatar',
    'referral_code',
    'referred_by_code',
    'created_at',
    'email_confirmed_at',
    'phone_number',
    'address',
    'about',
  ];
  const withAvatar = users.map((user) => ({ ...user, ...profileOf(user.email), avatar: '', email_confirmed_at: user.created_at }));
  await insertRows(
    client,
    'users',
    userColumns,
    withAvatar.filter((user) => !isReferred(user)),
  );
  await insertRows(client, 'users', userColumns, withAvatar.filter(isReferred));

  const { rows: planRows } = await client.query<{ id: string; plan_type: string }>('select id, plan_type from plans');
  const planIds = new Map(planRows.map((plan) => [plan.plan_type, plan.id]));
  for (const type of Object.keys(plans))
    if (!planIds.has(type))
      throw new Error(`The plan "${type}" is not in the database yet: write the contract's plans before the demo data`);
  const subscriptions = demo.subscriptions.map(({ plan_type, ...row }) => ({ ...row, plan_id: planIds.get(plan_type), source: 'grant' }));
  await insertRows(
    client,
    'subscriptions',
    ['id', 'user_id', 'plan_id', 'country', 'source', 'slots', 'starts_at', 'ends_at'],
    subscriptions,
  );

  let picture = 0;
  const listings = demo.listings.map((listing, index) => {
    const own = pictures.slice(picture, picture + listing.pictures.length);
    picture += own.length;
    return { ...listing.row, pictures: own, logo: logos[index] ?? '', updated_at: listing.row.created_at };
  });
  await insertRows(
    client,
    'listings',
    [
      'listing_number',
      'id',
      'seller_id',
      'subscription_id',
      'status',
      'plan_rank',
      'subscription_ends_at',
      'country',
      'region_code',
      'district_code',
      'base_locality_code',
      'service_radius_km',
      'service_districts',
      'main_category',
      'category_code',
      'sub_category_code',
      'service_title',
      'service_description',
      'services',
      'pictures',
      'business_title',
      'business_email',
      'business_phone',
      'business_info',
      'website',
      'logo',
      'logo_color',
      ...factColumns,
      'available_from',
      'available_until',
      'booked_until',
      'licence_limit_minor',
      'verified',
      'created_at',
      'updated_at',
    ],
    listings,
  );
  await insertRows(
    client,
    'register_checks',
    ['listing_id', 'register', 'number', 'state', 'register_name', 'sandbox', 'checked_at', 'check_at'],
    demo.registerChecks,
  );
  // The stand-in has looked up those of New South Wales; a few others wait for an administrator.
  await client.query(`
    insert into licence_checks (listing_id, register, number, holder, state, found_holder, found_class, found_status, checked_at, checked_by, sandbox, queued_at, check_at)
    select id, licence_register, licence_number, licence_name, case when found then 'valid' else 'stated' end,
      case when found then licence_name end, case when found then licence_class end, case when found then 'Current' end,
      case when found then now() - interval '9 days' end, case when found then 'register' end, found,
      case when not found and place <= 8 then now() - place * interval '1 hour' end, now() + interval '81 days'
    from (
      select *, licence_register = 'nsw' as found, row_number() over (partition by licence_register = 'nsw' order by listing_number) as place
      from listings where licence_number is not null
    ) as stated`);
  await client.query(`select setval(pg_get_serial_sequence('listings', 'listing_number'), (select max(listing_number) from listings))`);

  // Counted once at the end instead of per review.
  await client.query('alter table reviews disable trigger reviews_changed');
  await insertRows(
    client,
    'reviews',
    ['id', 'listing_id', 'author_id', 'rating', 'comment', 'created_at', 'answer', 'answered_at', 'removed_at', 'removed_because'],
    demo.reviews,
  );
  await client.query('alter table reviews enable trigger reviews_changed');
  await client.query('select recount_reviews()');
  await client.query('select rebuild_vocabulary()');
  const { conversations, participants, numbered } = demo;
  await insertRows(
    client,
    'conversations',
    ['id', 'listing_id', 'buyer_id', 'seller_id', 'last_number', 'answered_at', 'created_at'],
    conversations,
  );
  await insertRows(client, 'participants', ['conversation_id', 'role', 'user_id', 'unread', 'last_message_at'], participants);
  await insertRows(
    client,
    'messages',
    ['id', 'conversation_id', 'number', 'from_seller', 'body', 'pictures', 'created_at', 'seen_at'],
    numbered,
  );
  const requested = ['id', 'user_id', 'client_id', 'job', 'category_code', 'sub_category_code', 'place', 'timing', 'wanted_on'];
  await insertRows(client, 'quote_requests', [...requested, 'created_at', 'closed_at'], demo.quoteRequests);
  await insertRows(client, 'quote_receivers', ['request_id', 'place', 'conversation_id', 'number'], demo.quoteRequestReceivers);
  const sent = ['id', 'conversation_id', 'number', 'client_id', 'kind', 'country', 'gst_included', 'total_minor', 'gst_minor'];
  const named = ['business_name', 'customer_name', 'notes', 'valid_until', 'expires_at', 'sent_at'];
  await insertRows(client, 'quotes', [...sent, ...named], demo.quotes);
  await insertRows(client, 'quote_lines', ['quote_id', 'place', 'description', 'quantity_milli', 'unit_minor'], demo.quoteLines);
  for (const { id, at } of demo.acceptances)
    await client.query(`update quotes set status = 'accepted', seen_at = $2, closed_at = $2 where id = $1`, [id, at]);
  await insertRows(client, 'saved_listings', ['user_id', 'listing_id', 'saved_at'], demo.saved);
  await insertRows(client, 'listing_views', ['listing_id', 'day', 'views', 'visitors'], demo.views);
  // Otherwise a demo that is started on a Monday or Tuesday emails every business at once.
  await client.query(
    `insert into weekly_figures (user_id, week) select distinct seller_id, date_trunc('week', now() at time zone $1)::date - 7 from listings`,
    [siteTimeZone],
  );
  const { decisions, reports, appeals } = demo.moderation;
  const decided = ['id', 'kind', 'about_kind', 'about_id', 'about_title', 'about_listing_id', 'concerned_id', 'decided_by', 'reason'];
  await insertRows(client, 'decisions', [...decided, 'created_at'], decisions);
  const reported = ['id', 'reporter_id', 'kind', 'subject_id', 'concerned_id', 'reason', 'comment', 'title', 'words', 'listing_id'];
  await insertRows(client, 'reports', [...reported, 'created_at', 'decision_id'], reports);
  await insertRows(client, 'appeals', ['id', 'decision_id', 'words', 'created_at'], appeals);
}

/**
 * Fills a database without users with the demo, and `filesDir` with its pictures. Requires places, categories and plans. Pictures are written first
 * and rows in one transaction, so an interrupted run leaves no partial demo; the next one writes the same files again.
 */
export async function fillDemoData({
  client,
  filesDir,
  hasPictures = true,
  onProgress = () => {},
}: {
  client: pg.Client;
  filesDir: string;
  hasPictures?: boolean;
  onProgress?: (done: number, total: number, what: string) => void;
}): Promise<void> {
  const demo = generateDemo(demoSeed, new Date());
  const drawn = hasPictures ? demo.listings : [];
  const pictures = await storePictures(
    drawn.flatMap((listing) => listing.pictures),
    filesDir,
  );
  const logos = await storeLogos(
    drawn.map((listing) => listing.logo),
    filesDir,
  );

  const total = demo.users.length + demo.listings.length + demo.reviews.length + demo.messages.length + demo.views.length;
  onProgress(0, total, 'rows');
  await client.query('begin');
  try {
    await writeRows(client, demo, pictures, logos);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  await client.query(
    'analyze users, subscriptions, listings, reviews, conversations, participants, messages, saved_listings, listing_views, search_vocabulary',
  );
  onProgress(total, total, 'rows');
}
