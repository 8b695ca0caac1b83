import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { testDatabase, insertRows } from '@handwise/sandbox/testing/database';
import { listingRow } from '@handwise/sandbox/testing/listing';

const { url } = await testDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
afterAll(() => client.end());

const nobody = '00000000-0000-4000-8000-000000000000';

// Two users, each with a subscription, a listing, a card and payments in each state.
await client.query(`
  begin;
  insert into users (id, full_name, username, email, password_hash, referral_code) values
    ('${idOf('mere')}', 'Mere Kingi', 'mere_k', 'mere@example.org', 'x', 'REF-MER-0001'),
    ('${idOf('tama')}', 'Tama Rua', 'tama_r', 'tama@example.org', 'x', 'REF-TAM-0001');
  insert into payments (id, user_id, purpose, plan_id, country, amount_minor, currency, status, intent_id, succeeded_at, captured_minor, bought_minor)
    select rows.id, user_id, 'listing', plans.id, 'NZ', 1500, 'NZD', status, intent_id, case status when 'succeeded' then now() end,
      case status when 'succeeded' then 1500 else 0 end, case when intent_id like 'pi_spent%' then 1500 else 0 end
    from plans, (values
      ('${idOf('open')}'::uuid, '${idOf('mere')}'::uuid, 'open', 'pi_open'),
      ('${idOf('failed')}', '${idOf('mere')}', 'failed', 'pi_failed'),
      ('${idOf('spent')}', '${idOf('mere')}', 'succeeded', 'pi_spent'),
      ('${idOf('spent too')}', '${idOf('tama')}', 'succeeded', 'pi_spent_too'),
      ('${idOf('returned')}', '${idOf('mere')}', 'succeeded', 'pi_returned'),
      ('${idOf('returned too')}', '${idOf('tama')}', 'succeeded', 'pi_returned_too')
    ) as rows (id, user_id, status, intent_id) where plan_type = 'basic';
  insert into subscriptions (id, user_id, plan_id, country, source, payment_id, slots, starts_at, ends_at)
    select rows.id, user_id, plans.id, 'NZ', source, payment_id, 2, now(), now() + interval '30 days'
    from plans, (values
      ('${idOf('paid')}'::uuid, '${idOf('mere')}'::uuid, 'payment', '${idOf('spent')}'::uuid),
      ('${idOf('free')}', '${idOf('mere')}', 'free_first_month', null),
      ('${idOf('granted')}', '${idOf('mere')}', 'grant', null),
      ('${idOf('paid by tama')}', '${idOf('tama')}', 'payment', '${idOf('spent too')}')
    ) as rows (id, user_id, source, payment_id) where plan_type = 'basic';
`);
await insertRows(client, 'listings', [
  aListing('first', 'mere', 'paid', { submission_id: 'submission-1', payment_id: idOf('spent') }),
  aListing('second', 'mere', 'paid', { submission_id: 'submission-2', payment_id: null }),
  aListing('of tama', 'tama', 'paid by tama', { submission_id: 'submission-3', payment_id: idOf('spent too') }),
]);
await client.query(`
  insert into cards (id, user_id, payment_method_id, full_name, brand, last4, exp_month, exp_year) values
    ('${idOf('card')}', '${idOf('mere')}', 'pm_1', 'M Kingi', 'visa', '4242', 12, 2040),
    ('${idOf('other card')}', '${idOf('mere')}', 'pm_2', 'M Kingi', 'visa', '4242', 1, 2040);
  insert into payments (id, user_id, purpose, plan_id, country, listing_id, replaces_id, card_id, amount_minor, currency)
    select '${idOf('change')}', '${idOf('mere')}', 'plan_change', id, 'NZ', '${idOf('first')}'::uuid, '${idOf('paid')}'::uuid, '${idOf('card')}'::uuid, 700, 'NZD'
    from plans where plan_type = 'premium';
  insert into payments (id, user_id, purpose, plan_id, country, listing_id, amount_minor, currency)
    select '${idOf('reactivation')}', '${idOf('mere')}', 'reactivation', id, 'NZ', '${idOf('second')}'::uuid, 700, 'NZD' from plans where plan_type = 'basic';
  insert into payments (id, user_id, purpose, plan_id, country, renews_id, amount_minor, currency)
    select '${idOf('renewal')}', '${idOf('mere')}', 'renewal', id, 'NZ', '${idOf('paid')}'::uuid, 1500, 'NZD' from plans where plan_type = 'basic';
  insert into renewals (subscription_id, user_id, card_id, amount_minor, status, agreed_at, charge_at)
    values ('${idOf('paid')}', '${idOf('mere')}', '${idOf('card')}', 1500, 'on', now(), now());
  insert into payment_customers values ('${idOf('mere')}', 'cus_1'), ('${idOf('tama')}', 'cus_2');
  insert into refunds (id, payment_id, amount_minor, source, reason, provider_id, asked_by, request_id) values
    ('${idOf('refund')}', '${idOf('returned')}', 1500, 'administrator', 'Late.', 're_1', '${idOf('tama')}', '${idOf('request')}'),
    ('${idOf('other refund')}', '${idOf('returned too')}', 1500, 'administrator', 'Late.', 're_2', '${idOf('tama')}', '${idOf('other request')}');
  insert into disputes (id, provider_id, payment_id, amount_minor, reason, status, opened_at) values
    ('${idOf('dispute')}', 'du_1', '${idOf('spent')}', 1500, 'fraudulent', 'needs_response', now()),
    ('${idOf('other dispute')}', 'du_2', '${idOf('spent')}', 1500, 'fraudulent', 'needs_response', now());
  insert into fraud_warnings (provider_id, payment_id, fraud_type, actionable, warned_at) values
    ('issfr_1', '${idOf('spent')}', 'misc', true, now()), ('issfr_2', '${idOf('spent')}', 'misc', true, now());
  insert into receipts (user_id, payment_id, details) values ('${idOf('mere')}', '${idOf('spent')}', '{}'), ('${idOf('tama')}', '${idOf('spent too')}', '{}');
  insert into adjustment_notes (number, user_id, receipt_id, refund_id, details)
    select row_number() over (), '${idOf('mere')}', receipts.id, refunds.id, '{}' from receipts, refunds where receipts.payment_id = '${idOf('spent')}';
  insert into provider_events values ('evt_1', 'charge.succeeded', 'ch_1', 'pi_spent', null, false, now(), now());
  insert into found_payments (intent_id, payment_id, user_id, amount_minor, currency, outcome, reason, refund_id, refund_status) values
    ('pi_found', '${idOf('open')}', '${idOf('mere')}', 1500, 'NZD', 'returned', 'So.', 're_3', 'pending'),
    ('pi_rebuilt', '${idOf('spent')}', '${idOf('mere')}', 1500, 'NZD', 'rebuilt', 'So.', null, null);
  insert into reviews (listing_id, author_id, rating, comment) values ('${idOf('first')}', '${idOf('tama')}', 5, 'Tidy.'), ('${idOf('of tama')}', '${idOf('mere')}', 1, 'Late.');
  insert into conversations (id, listing_id, buyer_id, seller_id, last_number) values
    ('${idOf('talk')}', '${idOf('first')}', '${idOf('tama')}', '${idOf('mere')}', 2), ('${idOf('other talk')}', '${idOf('of tama')}', '${idOf('mere')}', '${idOf('tama')}', 0);
  insert into messages (conversation_id, number, from_seller, body, client_id) values
    ('${idOf('talk')}', 1, false, 'It drips.', '${idOf('client')}'), ('${idOf('talk')}', 2, false, 'Still.', null);
  insert into quotes (id, conversation_id, number, client_id, kind, country, gst_included, total_minor, gst_minor, business_name, customer_name, notes, valid_until, expires_at, sent_at)
    values ('${idOf('agreed')}', '${idOf('talk')}', 1, '${idOf('client')}', 'quote', 'NZ', true, 11500, 1500, 'Kingi', 'Tama R.', '', '2027-03-14', '2027-03-15', '2027-03-01');
  insert into quote_lines values ('${idOf('agreed')}', 1, 'Labour', 1000, 11500);
  update quotes set status = 'accepted', closed_at = '2027-03-02';
  insert into quotes (id, conversation_id, number, client_id, kind, country, gst_included, total_minor, gst_minor, business_name, customer_name, notes, valid_until, expires_at, sent_at)
    values ('${idOf('offer')}', '${idOf('talk')}', 2, '${idOf('other client')}', 'quote', 'AU', true, 11000, 1000, 'Kingi', 'Tama R.', '', '2027-03-14', '2027-03-15', '2027-03-01');
  insert into quote_lines values ('${idOf('offer')}', 1, 'Labour', 1000, 11000);
  insert into visits (id, conversation_id, message_number, client_id, status, starts_at, minutes, agreed_at, proposed_by, proposed_at, created_at) values
    ('${idOf('coming')}', '${idOf('talk')}', 1, '${idOf('client')}', 'proposed', null, null, null, 'seller', now(), now()),
    ('${idOf('settled')}', '${idOf('talk')}', 2, '${idOf('other client')}', 'agreed', '2027-03-10', 60, now(), null, null, now());
  insert into decisions (id, kind, about_kind, about_id, about_title, concerned_id, decided_by, reason) values
    ('${idOf('warning')}', 'warn', 'listing', '${idOf('first')}', 'A tap', '${idOf('mere')}', '${idOf('tama')}', 'Mend it.'),
    ('${idOf('hiding')}', 'hide_listing', 'listing', '${idOf('first')}', 'A tap', '${idOf('mere')}', '${idOf('tama')}', 'Mend it.');
  insert into decisions (id, kind, about_kind, about_id, about_title, concerned_id, decided_by, reason, undoes, link_hash)
    select '${idOf('undoing')}', 'withdraw_warning', about_kind, about_id, about_title, concerned_id, decided_by, reason, id, decode(repeat('44', 32), 'hex')
    from decisions where kind = 'warn';
  insert into appeals (decision_id, words) values ('${idOf('warning')}', 'Why?');
  insert into draw_periods (id, year, month, starts_at, closes_at, origin, terms) values
    ('${idOf('october')}', 2026, 10, '2026-09-30', '2026-10-31', 'localhost/draws/2026-10', '{}'),
    ('${idOf('november')}', 2026, 11, '2026-10-31', '2026-11-30', 'localhost/draws/2026-11', '{}');
  insert into draw_entries (id, period_id, user_id, tickets, source, created_at, leaf_index) values
    (repeat('0', 32), '${idOf('october')}', '${idOf('mere')}', 1, 'signup', now(), 0),
    (repeat('a', 32), '${idOf('november')}', '${idOf('mere')}', 1, 'signup', now(), 0),
    (repeat('b', 32), '${idOf('november')}', '${idOf('tama')}', 5, 'other', now(), 1);
  insert into ticket_log_leaves values
    ('${idOf('october')}', 0, '+ ' || repeat('0', 32) || ' 1 2026-10-21T09:30:00Z'),
    ('${idOf('november')}', 0, '+ ' || repeat('a', 32) || ' 1 2026-11-21T09:30:00Z'),
    ('${idOf('november')}', 1, '+ ' || repeat('b', 32) || ' 5 2026-11-21T09:30:00Z');
  insert into ticket_log_nodes values ('${idOf('november')}', 1, 0, decode(repeat('66', 32), 'hex'));
  insert into ticket_log_heads values ('${idOf('november')}', 2, decode(repeat('66', 32), 'hex'), '', now());
  insert into given_entries (entry_id, user_id, tickets, given_by, reason) values (repeat('b', 32), '${idOf('tama')}', 5, '${idOf('mere')}', 'A prize.');
  insert into referrals (id, referrer_id, referred_id, code, entered_at, status, created_at, mailbox_key) values
    ('${idOf('referral')}', '${idOf('mere')}', '${idOf('tama')}', 'REF-MER-0001', 'registration', 'pending', now(), repeat('k', 32));
  insert into referrals (id, referrer_id, referred_id, code, entered_at, status, created_at, mailbox_key, held_because, held_at, held_until) values
    ('${idOf('held referral')}', '${idOf('tama')}', '${idOf('mere')}', 'REF-TAM-0001', 'payment_step', 'held', now(), repeat('l', 32), 'So.', now(), now() + interval '1 day');
  insert into referral_findings (referral_id, referrer_id, referred_id, rule, severity, created_at) values
    ('${idOf('referral')}', '${idOf('mere')}', '${idOf('tama')}', 'same_card', 'hold', now());
  insert into reward_entries (id, user_id, referral_id, reward, change, quantity, cause, entry_id, created_at) values
    ('${idOf('tickets')}', '${idOf('mere')}', '${idOf('referral')}', 'draw_entries', 'issue', 1, 'code_used', repeat('a', 32), now()),
    ('${idOf('month')}', '${idOf('mere')}', '${idOf('referral')}', 'free_month', 'issue', 1, 'swapped', null, now());
  insert into reward_entries (user_id, referral_id, reward, change, quantity, cause, of_id, subscription_id, created_at) values
    ('${idOf('mere')}', '${idOf('referral')}', 'free_month', 'use', 1, 'subscription', '${idOf('month')}', '${idOf('free')}', now());
  insert into free_first_months values
    ('${idOf('mere')}', '${idOf('free')}', repeat('k', 32), now()), ('${idOf('tama')}', '${idOf('paid by tama')}', repeat('l', 32), now());
  insert into free_month_claims values ('card', repeat('c', 32), '${idOf('mere')}', now());
  insert into free_month_grants values ('${idOf('mere')}', null, now());
  insert into invitations (id, mailbox_key, business_number_key, basis, draft, token_hash, created_at, reminded_at, reminder_token_hash) values
    ('${idOf('invited')}', repeat('m', 32), repeat('b', 32), 'consent', '{}', decode(repeat('00', 32), 'hex'), now(), now(), decode(repeat('01', 32), 'hex')),
    ('${idOf('invited too')}', repeat('n', 32), repeat('c', 32), 'consent', '{}', decode(repeat('02', 32), 'hex'), now(), now(), decode(repeat('03', 32), 'hex'));
  insert into sealed_entrants values ('${idOf('mere')}', 'one', '\\x00', now(), now());
  update draw_periods set log_size = 1, closed_at = now() where month = 10;
  update draw_periods set log_size = 2 where month = 11;
  commit;
`);

// Three months: one drawn and claimed, one waiting for its round, one without a draw.
await client.query(`
  insert into draw_periods (id, year, month, starts_at, closes_at, origin, terms)
    select id, 2041, month, now(), now() + interval '1 day', 'example.org/draws', '{}'
    from (values ('${idOf('drawn')}'::uuid, 5), ('${idOf('waiting')}', 6), ('${idOf('not drawn')}', 7)) as rows (id, month);
  insert into draw_entries (id, period_id, user_id, tickets, source, created_at, leaf_index)
    select repeat(digit, 32), '${idOf('drawn')}', '${idOf('mere')}', 1, 'signup', now(), place from (values ('d', 0), ('e', 1), ('9', 2)) as rows (digit, place);
  insert into draws (id, status, closed_at, by_hand, root, total_tickets, total_entries, total_participants, voided, log, chain, round, announced_at, expected_at)
    select id, 'waiting', now(), false, decode(repeat('00', 32), 'hex'), 3, 3, 2, '{}', '{}', 'sandbox', 5, now(), now() + interval '5 minutes'
    from (values ('${idOf('drawn')}'::uuid), ('${idOf('waiting')}')) as rows (id);
  update draws set status = 'completed', completed_at = now(), signature = decode(repeat('00', 48), 'hex'), randomness = decode(repeat('00', 32), 'hex'), prize = 'pending'
    where id = '${idOf('drawn')}';
  update draws set prize = 'claimed' where id = '${idOf('drawn')}';
  insert into draw_files (draw_id, entries, places, tree) values ('${idOf('drawn')}', '[]', decode(repeat('00', 20), 'hex'), decode(repeat('00', 32), 'hex'));
  insert into draw_picks (id, draw_id, place, entry_id, ticket_index, won_at, claim_by) values
    ('${idOf('winner')}', '${idOf('drawn')}', 0, repeat('d', 32), 0, now(), now() + interval '30 days'),
    ('${idOf('reserve')}', '${idOf('drawn')}', 1, repeat('e', 32), 1, null, null);
  insert into prize_claims (id, pick_id, currency, claimed_at, key_id, sealed) values ('${idOf('claim')}', '${idOf('winner')}', 'NZD', now(), 'one', '');
  insert into draw_actions (draw_id, administrator_id, action, reason, done_at) values ('${idOf('drawn')}', '${idOf('tama')}', 'look', 'To pay.', now());
`);

function aListing(name: string, seller: string, subscription: string, more: { submission_id: string; payment_id: string | null }) {
  const under = { id: idOf(subscription), user_id: idOf(seller), ends_at: new Date(Date.now() + 30 * 86_400_000) };
  return { id: idOf(name), ...listingRow(under), ...more };
}

/** A stable id per name. */
function idOf(word: string) {
  return `00000000-0000-4000-8000-${createHash('sha256').update(word).digest('hex').slice(0, 12)}`;
}

/** The violated constraint of a statement, or null; always rolled back. */
async function refusalOf(statement: string): Promise<string | null> {
  await client.query('begin');
  try {
    await client.query(`${statement}; set constraints all immediate`);
    return null;
  } catch (error) {
    return error instanceof pg.DatabaseError ? (error.constraint ?? error.message) : String(error);
  } finally {
    await client.query('rollback');
  }
}

const set = (table: string, word: string, assignments: string) => `update ${table} set ${assignments} where id = '${idOf(word)}'`;
const again = (table: string) => `insert into ${table} select * from ${table} limit 1`;
/** Disables triggers that would reject the statement before the constraint does. */
const past = (table: string, trigger: string, statement: string) => `alter table ${table} disable trigger ${trigger}; ${statement}`;
const long = (length: number) => `repeat('a', ${length})`;

/** An entry of November with these columns changed. */
const drawEntry = (columns: Record<string, string>) => {
  const names = ['id', 'period_id', 'user_id', 'tickets', 'source', 'created_at', 'leaf_index'];
  const values = { id: "repeat('c', 32)", leaf_index: '2', ...columns } as Record<string, string>;
  return `insert into draw_entries (${names.join()}) select ${names.map((name) => values[name] ?? name).join()} from draw_entries where id = repeat('b', 32)`;
};
const ofLog = (table: string, values: string, month = 'november') => `insert into ticket_log_${table} values ('${idOf(month)}', ${values})`;
const leaf = (data: string) => ofLog('leaves', `2, ${data}`);
const aHash = "decode(repeat('66', 32), 'hex')";
const givenEntry = (columns: Record<string, string>) => {
  const names = ['entry_id', 'user_id', 'tickets', 'given_by', 'reason'];
  const values = { entry_id: "repeat('a', 32)", ...columns } as Record<string, string>;
  return `insert into given_entries (${names.join()}) select ${names.map((name) => values[name] ?? name).join()} from given_entries`;
};
/** A refused referral of the same two users with these columns changed. */
const referral = (columns: Record<string, string>) => {
  const others = { status: "'refused'", refused_because: "'No.'", ...columns };
  const names = ['referrer_id', 'referred_id', 'code', 'entered_at', 'created_at', 'mailbox_key', ...Object.keys(others)];
  const values = names.map((name) => (others as Record<string, string>)[name] ?? name);
  const all = new Map(names.map((name, index) => [name, values[index]]));
  return `insert into referrals (${[...all.keys()].join()}) select ${[...all.values()].join()} from referrals where id = '${idOf('referral')}'`;
};
/** Tickets of the same referral for the listing, with these columns changed. */
const reward = (columns: Record<string, string>) => {
  const values = { cause: "'listing'", entry_id: "repeat('b', 32)", ...columns };
  const names = ['user_id', 'referral_id', 'reward', 'change', 'quantity', 'created_at'].filter((name) => !(name in values));
  return `insert into reward_entries (${[...names, ...Object.keys(values)].join()})
    select ${[...names, ...Object.values(values)].join()} from reward_entries where id = '${idOf('tickets')}'`;
};
const spent = (columns: Record<string, string>) =>
  reward({ change: "'void'", cause: "'fraud'", of_id: `'${idOf('tickets')}'`, entry_id: 'null', ...columns });
const monthClaim = (kind: string, key: string, userId = idOf('mere')) =>
  `insert into free_month_claims values (${kind}, ${key}, '${userId}', now())`;
const decidedAs = "decided_at = now(), approved = true, decision_reason = 'So.'";
const decidedFully = { decided_at: 'now()', approved: 'true', decision_reason: "'So.'" };
const heldFully = { held_because: "'So.'", held_at: 'now()', held_until: "now() + interval '1 day'" };
const open = { status: "'held'", refused_because: 'null' };

const changed = (table: string, assignment: string, where = 'true') => `update ${table} set ${assignment} where ${where}`;

/** A draw of the month without one, a pick, a claim and an administrator's action, each copied with these columns changed. */
const copied = (table: string, word: string, columns: object) =>
  `insert into ${table} select (jsonb_populate_record(${table}, '${JSON.stringify(columns)}')).* from ${table} where id = '${idOf(word)}'`;
const draw = (columns: object, word = 'drawn') => copied('draws', word, { id: idOf('not drawn'), ...columns });
const nothing = Object.fromEntries(
  ['chain', 'round', 'announced_at', 'expected_at', 'signature', 'randomness', 'prize'].map((column) => [column, null]),
);
const pick = (columns: object, word = 'reserve') =>
  copied('draw_picks', word, { id: nobody, place: 2, entry_id: '9'.repeat(32), ...columns });
const claim = (columns: object) => copied('prize_claims', 'claim', { id: nobody, pick_id: idOf('reserve'), ...columns });
const drawAction = (columns: string) =>
  `insert into draw_actions (draw_id, administrator_id, action, reason, done_at) select ${columns}, now() from draw_actions`;

/** The open quote with these columns changed. */
const offer = (assignments: string) => past('quotes', 'quotes_fixed', set('quotes', 'offer', assignments));
const quoteLine = (values: string) => `insert into quote_lines values ('${idOf('offer')}', ${values})`;

/** Statements that each constraint rejects, as close to its limit as possible. */
const refused: Record<string, string[]> = {
  draws_id_fkey: [draw({ id: nobody })],
  draws_pkey: [draw({ id: idOf('waiting') })],
  draws_status_check: [draw({ status: 'open' }, 'waiting')],
  draws_root_check: [draw({ root: '\\x00' })],
  draws_totals: [
    draw({ total_tickets: 2 }),
    draw({ total_participants: 4 }),
    draw({ total_participants: 0 }),
    draw({ ...nothing, total_entries: -1, total_participants: -1 }),
  ],
  draws_chain_check: [draw({ chain: 'fastnet' })],
  draws_round_check: [draw({ round: 0 })],
  draws_announced: [draw({ round: null }, 'waiting'), draw({ total_entries: 0, total_participants: 0 }, 'waiting')],
  draws_announced_before: [
    draw({ expected_at: '2020-01-01T00:00:00Z', announced_at: '2020-01-01T00:00:00Z', closed_at: '2019-01-01T00:00:00Z' }),
    draw({ announced_at: '2020-01-01T00:00:00Z' }),
  ],
  draws_signature_check: [draw({ signature: '\\x00' })],
  draws_randomness_check: [draw({ randomness: '\\x00' })],
  draws_completed: [draw({ completed_at: null }), draw({ completed_at: '2041-01-01T00:00:00Z' }, 'waiting')],
  draws_prize_check: [draw({ prize: 'lost' })],
  draws_drawn: [draw({ prize: null }), draw({ randomness: null }), draw({ prize: 'pending' }, 'waiting')],
  draws_paid: [draw({ paid_at: '2041-01-01T00:00:00Z' }), draw({ prize: 'paid' })],
  draws_append_only: [
    ...[
      'closed_at = now()',
      'by_hand = true',
      "root = decode(repeat('01', 32), 'hex')",
      'total_tickets = 4',
      'total_entries = 2',
      'total_participants = 1',
    ].map((change) => set('draws', 'drawn', change)),
    ...[
      'voided = \'{"fraud": 1}\'',
      'log = \'{"size": 1}\'',
      'round = 6',
      "chain = 'quicknet'",
      "expected_at = now() + interval '1 day'",
    ].map((change) => set('draws', 'waiting', change)),
    set('draws', 'drawn', "signature = decode(repeat('01', 48), 'hex')"),
    set('draws', 'drawn', "randomness = decode(repeat('01', 32), 'hex')"),
    `${set('draws', 'drawn', "prize = 'paid', paid_at = now()")}; ${set('draws', 'drawn', "paid_at = now() + interval '1 day'")}`,
    'delete from draws',
    'truncate draws cascade',
  ],
  draw_files_draw_id_fkey: [`insert into draw_files select '${nobody}', entries, places, tree from draw_files`],
  draw_files_places_check: [`insert into draw_files select '${idOf('waiting')}', entries, '\\x00', tree from draw_files`],
  draw_files_tree_check: [`insert into draw_files select '${idOf('waiting')}', entries, places, '\\x00' from draw_files`],
  draw_files_append_only: ["update draw_files set entries = ''", 'delete from draw_files', 'truncate draw_files'],
  draw_picks_draw_id_fkey: [pick({ draw_id: nobody })],
  draw_picks_entry_id_fkey: [pick({ entry_id: '8'.repeat(32) })],
  draw_picks_place_check: [pick({ place: 11 }), pick({ place: -1 })],
  draw_picks_ticket_index_check: [pick({ ticket_index: -1 })],
  draw_picks_reminders_check: [pick({ reminders: 3 }), pick({ reminders: -1 })],
  draw_picks_struck_reason_check: [
    pick({ struck_at: '2041-01-01T00:00:00Z', struck_reason: '' }),
    pick({ struck_at: '2041-01-01T00:00:00Z', struck_reason: 'a'.repeat(301) }),
  ],
  draw_picks_place: [pick({ place: 1 })],
  draw_picks_once: [pick({ entry_id: 'd'.repeat(32) })],
  draw_picks_won: [
    pick({ won_at: '2041-01-01T00:00:00Z' }),
    pick({ won_at: '2041-01-01T00:00:00Z', claim_by: '2041-01-01T00:00:00Z', struck_at: '2041-01-01T00:00:00Z', struck_reason: 'x' }),
  ],
  draw_picks_struck: [pick({ struck_at: '2041-01-01T00:00:00Z' }), pick({ struck_reason: 'x' })],
  draw_picks_one_winner: [set('draw_picks', 'reserve', "won_at = now(), claim_by = now() + interval '1 day'")],
  draw_picks_append_only: [
    set('draw_picks', 'winner', 'place = 5'),
    set('draw_picks', 'winner', `entry_id = repeat('9', 32)`),
    set('draw_picks', 'winner', 'ticket_index = 2'),
    set('draw_picks', 'winner', "claim_by = now() + interval '60 days'"),
    `${set('draw_picks', 'winner', 'reminders = 1')}; ${set('draw_picks', 'winner', 'reminders = 0')}`,
    `${set('draw_picks', 'winner', "struck_at = now(), struck_reason = 'x'")}; ${set('draw_picks', 'winner', 'struck_at = null, struck_reason = null')}`,
    'delete from draw_picks',
    'truncate draw_picks cascade',
  ],
  prize_claims_pick_id_key: [claim({ pick_id: idOf('winner') })],
  prize_claims_pick_id_fkey: [claim({ pick_id: nobody })],
  prize_claims_currency_check: [claim({ currency: 'USD' })],
  prize_claims_erased: [claim({ sealed: null }), claim({ key_id: null }), claim({ erased_at: '2041-01-01T00:00:00Z' })],
  prize_claims_append_only: [
    set('prize_claims', 'claim', "currency = 'AUD'"),
    set('prize_claims', 'claim', `pick_id = '${idOf('reserve')}'`),
    set('prize_claims', 'claim', "claimed_at = now() + interval '1 day'"),
    `${set('prize_claims', 'claim', 'key_id = null, sealed = null, erased_at = now()')}; ${set('prize_claims', 'claim', "key_id = 'one', sealed = '', erased_at = null")}`,
    'delete from prize_claims',
    'truncate prize_claims',
  ],
  draw_actions_draw_id_fkey: [drawAction(`'${nobody}', administrator_id, action, reason`)],
  draw_actions_administrator_id_fkey: [drawAction(`draw_id, '${nobody}'::uuid, action, reason`)],
  draw_actions_action_check: [drawAction(`draw_id, administrator_id, 'win', reason`)],
  draw_actions_reason_check: [
    drawAction(`draw_id, administrator_id, 'run', ''`),
    drawAction(`draw_id, administrator_id, 'run', ${long(301)}`),
  ],
  draw_actions_reason: [drawAction(`draw_id, administrator_id, 'look', null`), drawAction(`draw_id, administrator_id, 'strike', null`)],
  draw_actions_append_only: ["update draw_actions set reason = 'x'", 'delete from draw_actions', 'truncate draw_actions'],

  plans_plan_type_check: ["update plans set plan_type = 'gold' where rank = 1"],
  plans_plan_type_key: ["update plans set plan_type = 'premium' where plan_type = 'basic'"],
  plans_rank_key: ["update plans set rank = (select rank from plans where plan_type = 'premium') where plan_type = 'basic'"],
  plans_rank_check: ["update plans set rank = 0 where plan_type = 'basic'", "update plans set rank = 10 where plan_type = 'basic'"],
  plans_price_minor_check: ["update plans set price_minor = 0 where plan_type = 'basic'"],
  plans_slots_check: ["update plans set slots = 0 where plan_type = 'basic'"],
  plans_photos_check: ["update plans set photos = 0 where plan_type = 'basic'"],

  subscriptions_user_id_fkey: [set('subscriptions', 'free', `user_id = '${nobody}'`)],
  subscriptions_plan_id_fkey: [set('subscriptions', 'free', `plan_id = '${nobody}'`)],
  subscriptions_payment_id_fkey: [set('subscriptions', 'paid', `payment_id = '${nobody}'`)],
  subscriptions_replaced_by_fkey: [set('subscriptions', 'free', `replaced_by = '${nobody}'`)],
  subscriptions_check: [set('subscriptions', 'free', 'ends_at = starts_at')],
  subscriptions_check1: [
    set('subscriptions', 'free', "source = 'payment'"),
    set('subscriptions', 'paid', "source = 'grant'"),
    set('subscriptions', 'granted', `payment_id = '${idOf('returned')}'`),
  ],
  subscriptions_country_check: [set('subscriptions', 'free', "country = 'FJ'")],
  subscriptions_source_check: [set('subscriptions', 'free', "source = 'gift'")],
  subscriptions_slots: [
    set('subscriptions', 'paid', 'slots_used = 3'),
    set('subscriptions', 'paid', 'slots = 1'),
    set('subscriptions', 'free', 'slots_used = -1'),
  ],
  subscriptions_payment_id_key: [set('subscriptions', 'free', `source = 'payment', payment_id = '${idOf('spent')}'`)],
  subscriptions_replaced_by_key: [
    `update subscriptions set replaced_by = '${idOf('paid')}' where id in ('${idOf('free')}', '${idOf('granted')}')`,
  ],
  subscriptions_follows: [
    set('subscriptions', 'free', `follows_id = '${nobody}'`),
    set('subscriptions', 'free', `follows_id = '${idOf('paid by tama')}'`),
  ],
  subscriptions_one_following: [
    `update subscriptions set follows_id = '${idOf('paid')}' where id in ('${idOf('free')}', '${idOf('granted')}')`,
  ],
  subscriptions_follows_other: [set('subscriptions', 'free', 'follows_id = id')],
  subscriptions_one_free_first_month: [set('subscriptions', 'granted', "source = 'free_first_month'")],

  listings_submission_id_key: [set('listings', 'first', "submission_id = 'submission-2'")],
  listings_payment_id_key: [set('listings', 'second', `payment_id = '${idOf('spent')}'`)],
  listings_payment_id_fkey: [set('listings', 'second', `payment_id = '${nobody}'`)],
  listings_status_check: [past('listings', 'listings_transition', set('listings', 'first', "status = 'sold'"))],
  listings_hidden_from_check: [set('listings', 'first', "status = 'hidden', hidden_from = 'hidden'")],
  listings_plan_rank_check: [set('listings', 'first', 'plan_rank = 0'), set('listings', 'first', 'plan_rank = 10')],
  listings_subscription_id_seller_id_fkey: [set('listings', 'first', `subscription_id = '${idOf('paid by tama')}'`)],
  subscriptions_price: [set('subscriptions', 'paid', 'price_minor = 0')],
  quotes_pkey: [offer(`id = '${idOf('agreed')}'`)],
  quotes_quote_number_key: [
    'alter table quotes alter column quote_number drop identity, disable trigger quotes_fixed; update quotes set quote_number = 1',
  ],
  quotes_status_check: [past('quotes', 'quotes_transition', offer("status = 'lost', closed_at = now()"))],
  quotes_kind_check: [offer("kind = 'guess'")],
  quotes_country_check: [offer("country = 'US'")],
  quotes_total_minor_check: [offer('total_minor = 0, gst_minor = 0'), offer('total_minor = 1000000001, gst_minor = 90909091')],
  quotes_business: [offer("business = '[]'"), offer(`business = '{"lines": []}'`)],
  quotes_gst: [offer('gst_minor = 999'), offer('gst_minor = 1001'), offer('gst_included = false'), offer("country = 'NZ'")],
  quotes_business_name_check: [offer("business_name = ''"), offer(`business_name = ${long(201)}`)],
  quotes_customer_name_check: [offer("customer_name = ''"), offer(`customer_name = ${long(201)}`)],
  quotes_notes_check: [offer(`notes = ${long(2001)}`)],
  quotes_time: [offer('expires_at = sent_at, remind_at = null')],
  quotes_reminder: [offer("remind_at = expires_at + interval '1 s'"), offer("remind_at = sent_at - interval '1 s'")],
  quotes_seen: [offer("status = 'seen'")],
  quotes_closed: [offer('closed_at = now()'), offer("status = 'withdrawn'")],
  quotes_accepted_in_time: [offer("status = 'accepted', closed_at = expires_at")],
  quotes_decline_reason_check: [offer("status = 'declined', closed_at = now(), decline_reason = 'dull'")],
  quotes_decline_note_check: [offer(`status = 'declined', closed_at = now(), decline_reason = 'price', decline_note = ${long(501)}`)],
  quotes_declined: [offer("status = 'declined', closed_at = now()"), offer("decline_reason = 'price'")],
  quotes_decline_note: [offer("decline_note = 'Too dear.'")],
  quotes_conversation_id_client_id_key: [offer(`client_id = '${idOf('client')}'`)],
  quotes_conversation_id_number_key: [offer('number = 1')],
  quotes_conversation_id_number_fkey: [offer('number = 3')],
  quotes_one_open: [
    "alter table quotes disable trigger quotes_transition, disable trigger quotes_fixed; update quotes set status = 'sent', closed_at = null",
  ],
  quotes_transition: [
    past('quotes', 'quotes_fixed', set('quotes', 'agreed', "status = 'withdrawn'")),
    `${set('quotes', 'offer', "status = 'expired', closed_at = now()")}; ${set('quotes', 'offer', "status = 'sent', closed_at = null")}`,
  ],
  quotes_fixed: [
    set('quotes', 'agreed', 'seen_at = now()'),
    set('quotes', 'agreed', "customer_name = 'Former member'"),
    set('quotes', 'offer', "notes = 'More.'"),
    set('quotes', 'offer', "starts_on = '2027-04-01'"),
    set('quotes', 'offer', 'gst_included = false, gst_minor = 0'),
    set('quotes', 'offer', "expires_at = '2028-01-01'"),
  ],
  // Both triggers check the same and name the first.
  quotes_total: [
    quoteLine("2, 'Material', 1000, 1"),
    `insert into messages (conversation_id, number, from_seller, body) values ('${idOf('other talk')}', 1, true, 'An offer.'); insert into quotes
      (conversation_id, number, client_id, kind, country, gst_included, total_minor, gst_minor, business_name, customer_name, notes, valid_until, expires_at, sent_at)
      select id, 1, id, 'quote', 'NZ', false, 1, 0, 'Kingi', 'Tama R.', '', '2027-03-14', '2027-03-15', '2027-03-01'
      from conversations where id = '${idOf('other talk')}'`,
  ],
  quote_lines_total: [],
  quote_lines_fixed: [
    'update quote_lines set unit_minor = 0',
    'delete from quote_lines',
    `delete from quote_lines where quote_id = '${idOf('offer')}'`,
    `insert into quote_lines values ('${idOf('agreed')}', 2, 'A gift', 1000, 0)`,
  ],
  visits_status_check: [past('visits', 'visits_transition', set('visits', 'coming', "status = 'lost'"))],
  visits_one_open: [
    `insert into visits (conversation_id, message_number, client_id, proposed_by, proposed_at, created_at)
      values ('${idOf('talk')}', 1, '${nobody}', 'seller', now(), now())`,
  ],
  quote_lines_pkey: [quoteLine("1, 'Labour', 1000, 0")],
  quote_lines_place_check: [quoteLine("0, 'Labour', 1000, 0"), quoteLine("31, 'Labour', 1000, 0")],
  quote_lines_description_check: [quoteLine("2, '', 1000, 0"), quoteLine(`2, ${long(201)}, 1000, 0`)],
  quote_lines_quantity_milli_check: [quoteLine("2, 'Labour', 0, 0"), quoteLine("2, 'Labour', 100000000, 0")],
  quote_lines_unit_minor_check: [quoteLine("2, 'Labour', 1, -1"), quoteLine("2, 'Labour', 1, 100000001")],
  quote_lines_quote_id_fkey: [`insert into quote_lines values ('${nobody}', 1, 'Labour', 1000, 0)`],
  audit_log_pkey: [
    `insert into audit_log select (jsonb_populate_record(audit_log, '{"hash": "\\\\x${'11'.repeat(32)}"}')).* from audit_log`,
  ],
  audit_log_hash_key: [`insert into audit_log select (jsonb_populate_record(audit_log, '{"number": 99}')).* from audit_log limit 1`],
  audit_log_number_check: [`insert into audit_log select (jsonb_populate_record(audit_log, '{"number": 0}')).* from audit_log limit 1`],
  audit_log_previous_check: [
    `insert into audit_log select (jsonb_populate_record(audit_log, '{"previous": "\\\\x11"}')).* from audit_log limit 1`,
  ],
  audit_log_hash_check: [`insert into audit_log select (jsonb_populate_record(audit_log, '{"hash": "\\\\x11"}')).* from audit_log limit 1`],
  audit_log_append_only: ["update audit_log set what = ''", 'delete from audit_log', 'truncate audit_log'],
  audit_head_pkey: [again('audit_head')],
  audit_head_singleton_check: ["insert into audit_head values (false, 0, '')"],
  draw_periods_year_check: ['2019', '2100'].map((year) =>
    past('draw_periods', 'draw_periods_fixed', set('draw_periods', 'november', `year = ${year}`)),
  ),
  draw_periods_month_check: ['0', '13'].map((month) =>
    past('draw_periods', 'draw_periods_fixed', set('draw_periods', 'november', `month = ${month}`)),
  ),
  draw_periods_month: [past('draw_periods', 'draw_periods_fixed', set('draw_periods', 'november', 'month = 10'))],
  draw_periods_origin_check: ["''", "'two words'", "'a+b'"].map((origin) =>
    past('draw_periods', 'draw_periods_fixed', set('draw_periods', 'november', `origin = ${origin}`)),
  ),
  draw_periods_log_size_check: [past('draw_periods', 'draw_periods_fixed', set('draw_periods', 'november', 'log_size = -1'))],
  draw_periods_time: [past('draw_periods', 'draw_periods_fixed', set('draw_periods', 'november', 'starts_at = closes_at'))],
  draw_periods_append_only: [
    'delete from draw_periods',
    'truncate draw_periods cascade',
    set('draw_periods', 'october', 'closed_at = null'),
    set('draw_periods', 'october', 'log_size = 3'),
    set('draw_periods', 'november', 'log_size = 1'),
    ...[
      'id = uuidv7()',
      'year = 2027',
      'month = 12',
      "starts_at = '2026-10-30'",
      "closes_at = '2026-12-01'",
      "origin = 'x'",
      "terms = '[]'",
    ].map((assignment) => set('draw_periods', 'november', assignment)),
  ],
  draw_entries_id_check: ["repeat('c', 31)", "repeat('C', 32)", "repeat('g', 32)"].map((id) => drawEntry({ id })),
  draw_entries_pkey: [drawEntry({ id: 'id' })],
  draw_entries_period_id_fkey: [drawEntry({ period_id: `'${nobody}'` })],
  draw_entries_user_id_fkey: [drawEntry({ user_id: `'${nobody}'` })],
  draw_entries_tickets_check: [drawEntry({ tickets: '0' })],
  draw_entries_source_check: [drawEntry({ source: "'bought'" })],
  draw_entries_leaf_index_check: [drawEntry({ leaf_index: '-1' })],
  draw_entries_leaf: [drawEntry({ leaf_index: '1' })],
  draw_entries_void: [
    changed('draw_entries', 'voided_at = now()', "id = repeat('a', 32)"),
    past('draw_entries', 'draw_entries_fixed', changed('draw_entries', "void_reason = 'fraud'", "id = repeat('a', 32)")),
  ],
  draw_entries_void_reason_check: [changed('draw_entries', "voided_at = now(), void_reason = 'bored'", "id = repeat('a', 32)")],
  draw_entries_append_only: [
    'delete from draw_entries',
    'truncate draw_entries cascade',
    "update draw_entries set voided_at = now(), void_reason = 'fraud' where leaf_index = 1; update draw_entries set voided_at = now(), void_reason = 'swapped' where leaf_index = 1",
    "update draw_entries set voided_at = now(), void_reason = 'fraud' where leaf_index = 1; update draw_entries set voided_at = null, void_reason = null where leaf_index = 1",
    ...[
      "id = repeat('c', 32)",
      `period_id = '${idOf('october')}'`,
      `user_id = '${idOf('mere')}'`,
      'tickets = 6',
      "source = 'signup'",
      'created_at = now()',
      'leaf_index = 9',
    ].flatMap((assignment) => [
      changed('draw_entries', assignment, "id = repeat('b', 32)"),
      changed('draw_entries', `voided_at = now(), void_reason = 'fraud', ${assignment}`, "id = repeat('b', 32)"),
    ]),
  ],
  draw_entries_closed: [
    drawEntry({ period_id: `'${idOf('october')}'` }),
    changed('draw_entries', "voided_at = now(), void_reason = 'fraud'", "id = repeat('0', 32)"),
  ],
  ticket_log_leaves_pkey: [ofLog('leaves', `1, '+ ' || repeat('c', 32) || ' 1 2026-11-21T09:30:00Z'`)],
  ticket_log_leaves_period_id_fkey: [
    `insert into ticket_log_leaves values ('${nobody}', 2, '+ ' || repeat('c', 32) || ' 1 2026-11-21T09:30:00Z')`,
  ],
  ticket_log_leaves_index_check: [ofLog('leaves', `-1, '+ ' || repeat('c', 32) || ' 1 2026-11-21T09:30:00Z'`)],
  ticket_log_leaves_data_check: [
    "'+ ' || repeat('c', 32) || ' 0 2026-11-21T09:30:00Z'",
    "'+ ' || repeat('c', 32) || ' 01 2026-11-21T09:30:00Z'",
    "'+ ' || repeat('c', 31) || ' 1 2026-11-21T09:30:00Z'",
    "'+ ' || repeat('c', 32) || ' 1 2026-11-21T09:30:00.000Z'",
    "'- ' || repeat('a', 32) || ' 1 2026-11-21T09:30:00Z'",
    "'- ' || repeat('a', 32) || ' bored 2026-11-21T09:30:00Z'",
    "'+ ' || repeat('c', 32) || E' 1 2026-11-21T09:30:00Z\\n'",
  ].map(leaf),
  ticket_log_leaves_once: [
    leaf("'+ ' || repeat('a', 32) || ' 2 2026-11-21T09:30:00Z'"),
    `${leaf("'- ' || repeat('a', 32) || ' fraud 2026-11-21T09:30:00Z'")}; ${ofLog('leaves', `3, '- ' || repeat('a', 32) || ' swapped 2026-11-21T09:31:00Z'`)}`,
  ],
  ticket_log_leaves_append_only: ['update ticket_log_leaves set index = 7', 'delete from ticket_log_leaves', 'truncate ticket_log_leaves'],
  ticket_log_leaves_closed: [ofLog('leaves', `1, '+ ' || repeat('c', 32) || ' 1 2026-11-21T09:30:00Z'`, 'october')],
  ticket_log_nodes_pkey: [ofLog('nodes', `1, 0, ${aHash}`)],
  ticket_log_nodes_period_id_fkey: [`insert into ticket_log_nodes values ('${nobody}', 1, 0, ${aHash})`],
  ticket_log_nodes_level_check: [ofLog('nodes', `0, 0, ${aHash}`), ofLog('nodes', `31, 0, ${aHash}`)],
  ticket_log_nodes_index_check: [ofLog('nodes', `1, -1, ${aHash}`)],
  ticket_log_nodes_hash_check: [ofLog('nodes', "1, 1, '\\x00'")],
  ticket_log_nodes_append_only: ["update ticket_log_nodes set hash = '\\x00'", 'delete from ticket_log_nodes', 'truncate ticket_log_nodes'],
  ticket_log_nodes_closed: [ofLog('nodes', `1, 0, ${aHash}`, 'october')],
  ticket_log_heads_pkey: [ofLog('heads', `2, ${aHash}, '', now()`)],
  ticket_log_heads_period_id_fkey: [`insert into ticket_log_heads values ('${nobody}', 2, ${aHash}, '', now())`],
  ticket_log_heads_size_check: [ofLog('heads', `-1, ${aHash}, '', now()`)],
  ticket_log_heads_root_check: [ofLog('heads', "3, '\\x00', '', now()")],
  ticket_log_heads_append_only: [
    "update ticket_log_heads set checkpoint = 'x'",
    'delete from ticket_log_heads',
    'truncate ticket_log_heads',
  ],
  ticket_log_heads_closed: [ofLog('heads', `1, ${aHash}, '', now()`, 'october')],
  given_entries_entry_id_fkey: [givenEntry({ entry_id: "repeat('f', 32)" })],
  given_entries_entry_id_key: [givenEntry({ entry_id: 'entry_id' })],
  given_entries_user_id_fkey: [givenEntry({ user_id: `'${nobody}'` })],
  given_entries_given_by_fkey: [givenEntry({ given_by: `'${nobody}'` })],
  given_entries_tickets_check: [givenEntry({ tickets: '0' }), givenEntry({ tickets: '51' })],
  given_entries_reason_check: [givenEntry({ reason: "''" }), givenEntry({ reason: long(501) })],
  given_entries_append_only: ["update given_entries set reason = 'x'", 'delete from given_entries', 'truncate given_entries'],
  sealed_entrants_pkey: [again('sealed_entrants')],
  sealed_entrants_user_id_fkey: [`update sealed_entrants set user_id = '${nobody}'`],
  referrals_referrer_id_fkey: [referral({ referrer_id: `'${nobody}'` })],
  referrals_referred_id_fkey: [referral({ referred_id: `'${nobody}'` })],
  referrals_code_check: [referral({ code: "''" }), referral({ code: long(65) })],
  referrals_entered_at_check: [referral({ entered_at: "'phone'" })],
  referrals_status_check: [referral({ status: "'lost'", refused_because: 'null' })],
  referrals_mailbox_key_check: [referral({ mailbox_key: long(15) }), referral({ mailbox_key: long(65) })],
  referrals_held_because_check: [referral({ ...heldFully, held_because: "''" }), referral({ ...heldFully, held_because: long(1001) })],
  referrals_refused_because_check: [referral({ refused_because: "''" }), referral({ refused_because: long(1001) })],
  referrals_decided_by_fkey: [referral({ ...decidedFully, decided_by: `'${nobody}'` })],
  referrals_decision_reason_check: [
    referral({ ...decidedFully, decision_reason: "''" }),
    referral({ ...decidedFully, decision_reason: long(501) }),
  ],
  referrals_listing_id_fkey: [referral({ listing_id: `'${nobody}'` })],
  referrals_two_people: [referral({ referred_id: 'referrer_id' })],
  referrals_held: [
    referral({ held_at: 'now()' }),
    referral({ ...heldFully, held_because: 'null' }),
    referral({ ...heldFully, held_until: 'now()' }),
  ],
  referrals_waiting: [referral(open), referral({ ...open, ...heldFully, ...decidedFully })],
  referrals_decided: [
    referral({ decided_at: 'now()' }),
    referral({ ...decidedFully, decision_reason: 'null' }),
    referral({ decided_by: 'referrer_id' }),
  ],
  referrals_refused: [referral({ refused_because: 'null' }), referral({ status: "'pending'" })],
  referrals_converted: [referral({ status: "'converted'", refused_because: 'null' }), referral({ converted_at: 'now()' })],
  referrals_one_of_referred: [
    referral({ status: "'pending'", refused_because: 'null' }),
    referral({ ...open, ...heldFully }),
    referral({ status: "'converted'", refused_because: 'null', converted_at: 'now()' }),
  ],
  referrals_append_only: [
    ...[
      'id = uuidv7()',
      'referrer_id = referred_id, referred_id = referrer_id',
      "code = 'REF-TAM-0001'",
      "entered_at = 'payment_step'",
      "mailbox_key = repeat('m', 32)",
      "created_at = now() + interval '1 second'",
    ].map((assignment) => set('referrals', 'referral', assignment)),
    ...[
      "decided_at = now() + interval '1 second'",
      `decided_by = '${idOf('mere')}'`,
      'approved = false',
      "decision_reason = 'Other.'",
      'decided_at = null, approved = null, decision_reason = null',
    ].map((assignment) => `${set('referrals', 'referral', decidedAs)}; ${set('referrals', 'referral', assignment)}`),
  ],
  referrals_awaits_card: [referral({ awaits_card: 'true' })],
  referrals_lapses: [referral({ held_lapses: 'true' })],
  free_month_claims_kind_check: [monthClaim("'phone'", long(32))],
  free_month_claims_key_check: [monthClaim("'card'", long(15)), monthClaim("'card'", long(65))],
  free_month_claims_user_id_fkey: [monthClaim("'card'", long(32), nobody)],
  free_month_claims_pkey: [monthClaim("'card'", "repeat('c', 32)", idOf('tama'))],
  free_month_claims_append_only: [
    `update free_month_claims set user_id = '${idOf('tama')}'`,
    'delete from free_month_claims',
    'truncate free_month_claims',
  ],
  free_month_grants_pkey: [again('free_month_grants')],
  free_month_grants_user_id_fkey: [`update free_month_grants set user_id = '${nobody}'`],
  free_month_grants_business_number_key_check: [15, 65].map(
    (length) => `update free_month_grants set business_number_key = ${long(length)}`,
  ),
  invitations_status_check: [past('invitations', 'invitations_transition', set('invitations', 'invited', "status = 'lost', draft = null"))],
  reward_entries_user_id_fkey: [reward({ user_id: `'${nobody}'` })],
  reward_entries_referral_id_fkey: [reward({ referral_id: `'${nobody}'` })],
  reward_entries_reward_check: [reward({ reward: "'cash'", entry_id: 'null' })],
  reward_entries_change_check: [reward({ change: "'lose'", of_id: `'${idOf('tickets')}'`, entry_id: 'null' })],
  reward_entries_quantity_check: [reward({ quantity: '0' })],
  reward_entries_cause_check: [reward({ cause: "'mood'" })],
  reward_entries_entry_id_fkey: [reward({ entry_id: "repeat('f', 32)" })],
  reward_entries_entry_id_key: [reward({ entry_id: 'entry_id' })],
  reward_entries_subscription_id_fkey: [
    `${reward({ reward: "'free_month'", cause: "'signup'", entry_id: 'null' })};
      ${spent({ reward: "'free_month'", change: "'use'", subscription_id: `'${nobody}'`, of_id: "(select id from reward_entries where cause = 'signup')" })}`,
  ],
  reward_entries_subscription_id_key: [
    spent({ reward: "'free_month'", change: "'use'", subscription_id: `'${idOf('free')}'`, of_id: `'${idOf('other month')}'` }),
  ],
  reward_entries_of: [
    spent({ quantity: '5' }),
    spent({ user_id: `'${idOf('tama')}'` }),
    spent({ referral_id: `'${idOf('held referral')}'` }),
    spent({ reward: "'free_month'" }),
    spent({ of_id: `'${nobody}'` }),
    `${spent({})}; ${spent({ of_id: "(select id from reward_entries where change = 'void')" })}`,
  ],
  reward_entries_once: [`${spent({})}; ${spent({ cause: "'swapped'" })}`],
  reward_entries_change: [reward({ of_id: `'${idOf('tickets')}'` }), spent({ of_id: 'null' })],
  reward_entries_tickets: [reward({ entry_id: 'null' }), spent({ entry_id: "repeat('b', 32)" })],
  reward_entries_month: [spent({ subscription_id: `'${idOf('paid')}'` }), spent({ reward: "'free_month'", change: "'use'" })],
  reward_entries_one_month: [reward({ reward: "'free_month'", quantity: '2', entry_id: 'null' })],
  reward_entries_issued_once: [reward({ cause: "'code_used'" })],
  reward_entries_append_only: ['update reward_entries set quantity = 2', 'delete from reward_entries', 'truncate reward_entries'],
  free_first_months_pkey: [
    `insert into free_first_months select user_id, '${idOf('paid')}', repeat('m', 32), now() from free_first_months limit 1`,
  ],
  free_first_months_user_id_fkey: [`insert into free_first_months values ('${nobody}', '${idOf('paid')}', repeat('m', 32), now())`],
  free_first_months_subscription_id_fkey: [
    past(
      'free_first_months',
      'free_first_months_append_only',
      `update free_first_months set subscription_id = '${nobody}' where mailbox_key = repeat('l', 32)`,
    ),
  ],
  free_first_months_subscription_id_key: [
    past('free_first_months', 'free_first_months_append_only', `update free_first_months set subscription_id = '${idOf('free')}'`),
  ],
  free_first_months_mailbox: [
    past('free_first_months', 'free_first_months_append_only', "update free_first_months set mailbox_key = repeat('m', 32)"),
  ],
  free_first_months_append_only: [
    'update free_first_months set created_at = now()',
    'delete from free_first_months',
    'truncate free_first_months',
  ],
  decisions_append_only: ["update decisions set reason = 'x'", 'delete from decisions', 'truncate decisions cascade'],
  provider_events_pkey: [again('provider_events')],
  payment_customers_pkey: [`insert into payment_customers values ('${idOf('mere')}', 'cus_3')`],
  payment_customers_customer_id_key: [`update payment_customers set customer_id = 'cus_1'`],
  payment_customers_user_id_fkey: [`insert into payment_customers values ('${nobody}', 'cus_3')`],
  payment_customers_mode: ["update payment_customers set account = 'acct_1', livemode = null"],
  cards_mode: ["update cards set account = 'acct_1', livemode = null"],
  payments_mode: [set('payments', 'open', "account = 'acct_1', livemode = null")],
  payments_provider_faults: [set('payments', 'open', 'provider_faults = -1')],
  cards_payment_method_id_key: [set('cards', 'card', "payment_method_id = 'pm_2'")],
  cards_user_id_fkey: [set('cards', 'card', `user_id = '${nobody}'`)],
  // Not a full card number.
  cards_last4_check: ["'4242424242424242'", "'424'", "'42a2'"].map((last4) => set('cards', 'card', `last4 = ${last4}`)),
  cards_exp_month_check: [set('cards', 'card', 'exp_month = 0'), set('cards', 'card', 'exp_month = 13')],

  payments_user_id_fkey: [set('payments', 'open', `user_id = '${nobody}'`)],
  payments_plan_id_fkey: [set('payments', 'open', `plan_id = '${nobody}'`)],
  payments_listing_id_fkey: [set('payments', 'change', `listing_id = '${nobody}'`)],
  payments_replaces_id_fkey: [set('payments', 'change', `replaces_id = '${nobody}'`)],
  payments_card_id_fkey: [set('payments', 'change', `card_id = '${nobody}'`)],
  payments_purpose_check: [set('payments', 'reactivation', "purpose = 'gift'")],
  payments_country_check: [set('payments', 'open', "country = 'FJ', currency = 'AUD'")],
  payments_amount_minor_check: [set('payments', 'open', 'amount_minor = 0')],
  payments_check: [set('payments', 'open', "currency = 'AUD'"), set('payments', 'open', "country = 'AU'")],
  payments_status_check: [past('payments', 'payments_transition', set('payments', 'open', "status = 'lost'"))],
  payments_check1: [set('payments', 'open', "status = 'succeeded', captured_minor = 1"), set('payments', 'open', 'succeeded_at = now()')],
  payments_of_listing: [
    set('payments', 'open', "purpose = 'reactivation'"),
    set('payments', 'open', `listing_id = '${idOf('first')}'`),
    set('payments', 'renewal', `listing_id = '${idOf('first')}'`),
  ],
  payments_of_renewal: [set('payments', 'renewal', 'renews_id = null'), set('payments', 'failed', `renews_id = '${idOf('paid')}'`)],
  payments_renews_id_fkey: [set('payments', 'renewal', `renews_id = '${nobody}'`)],
  payments_one_renewal: [
    past(
      'payments',
      'payments_transition',
      set('payments', 'failed', `purpose = 'renewal', status = 'open', renews_id = '${idOf('paid')}'`),
    ),
  ],
  payments_one_renewed: [
    `update payments set purpose = 'renewal', renews_id = '${idOf('paid')}' where id in ('${idOf('spent')}', '${idOf('spent too')}')`,
  ],
  renewals_pkey: [again('renewals')],
  renewals_subscription: [
    `update renewals set user_id = '${idOf('tama')}'`,
    `update renewals set subscription_id = '${idOf('paid by tama')}'`,
    `update renewals set subscription_id = '${nobody}'`,
  ],
  renewals_card_id_fkey: [`update renewals set card_id = '${nobody}'`],
  renewals_amount: ['update renewals set amount_minor = 0'],
  renewals_status: [past('renewals', 'renewals_transition', "update renewals set status = 'lost', charge_at = null")],
  renewals_problem: ["update renewals set problem = 'Declined.'", "update renewals set status = 'failed'"],
  renewals_charge: ['update renewals set charge_at = null', "update renewals set status = 'off'"],
  payments_check3: [set('payments', 'change', 'replaces_id = null'), set('payments', 'reactivation', `replaces_id = '${idOf('paid')}'`)],
  payments_intent_id_key: [set('payments', 'open', "intent_id = 'pi_failed'")],
  payments_one_purchase: [past('payments', 'payments_transition', set('payments', 'failed', "status = 'open'"))],
  payments_one_change: [set('payments', 'reactivation', `listing_id = '${idOf('first')}'`)],
  payments_bought_minor_check: [set('payments', 'spent', 'bought_minor = -1')],
  payments_owed_minor_check: [set('payments', 'spent', 'owed_minor = -1')],
  payments_captured: [set('payments', 'open', 'captured_minor = 1'), set('payments', 'spent', 'captured_minor = 0')],
  refunds_payment_id_fkey: [set('refunds', 'refund', `payment_id = '${nobody}'`)],
  refunds_provider_id_key: [set('refunds', 'refund', "provider_id = 're_2'")],
  refunds_request_id_key: [set('refunds', 'refund', `request_id = '${idOf('other request')}'`)],
  refunds_asked_by_fkey: [set('refunds', 'refund', `asked_by = '${nobody}'`)],
  refunds_dispute_id_fkey: [set('refunds', 'refund', `source = 'dispute', asked_by = null, request_id = null, dispute_id = '${nobody}'`)],
  refunds_dispute_id_key: [
    `update refunds set source = 'dispute', asked_by = null, request_id = null, dispute_id = '${idOf('dispute')}' where source = 'administrator'`,
  ],
  refunds_amount_minor_check: [set('refunds', 'refund', 'amount_minor = 0')],
  refunds_source_check: [set('refunds', 'refund', "source = 'kindness', asked_by = null, request_id = null")],
  refunds_status_check: [past('refunds', 'refunds_transition', set('refunds', 'refund', "status = 'lost'"))],
  refunds_check: [set('refunds', 'refund', "status = 'succeeded'"), set('refunds', 'refund', 'refunded_at = now()')],
  refunds_asked: [
    set('refunds', 'refund', "source = 'provider'"),
    set('refunds', 'refund', 'asked_by = null'),
    set('refunds', 'refund', 'request_id = null'),
    set('refunds', 'refund', 'asked_by = null, request_id = null'),
  ],
  refunds_failure: [set('refunds', 'refund', "status = 'failed'"), set('refunds', 'refund', "failure_reason = 'unknown'")],
  refunds_known: [set('refunds', 'refund', "status = 'succeeded', refunded_at = now(), provider_id = null")],
  refunds_disputed: [
    set('refunds', 'refund', `dispute_id = '${idOf('dispute')}'`),
    set('refunds', 'refund', "source = 'dispute', asked_by = null, request_id = null"),
  ],
  subscriptions_returned: [set('subscriptions', 'granted', 'returned_at = now()')],
  adjustment_notes_number_key: ['update adjustment_notes set number = 1'],
  adjustment_notes_number_check: ['update adjustment_notes set number = 0 where number = 1'],
  adjustment_notes_user_id_fkey: [`update adjustment_notes set user_id = '${nobody}'`],
  adjustment_notes_receipt_id_fkey: [`update adjustment_notes set receipt_id = '${nobody}'`],
  adjustment_notes_refund_id_fkey: [`update adjustment_notes set refund_id = '${nobody}' where number = 1`],
  adjustment_notes_refund_id_key: [`update adjustment_notes set refund_id = '${idOf('refund')}'`],
  adjustment_numbers_singleton_check: ['insert into adjustment_numbers values (false, 1)'],
  adjustment_numbers_pkey: ['insert into adjustment_numbers (last) values (1)'],
  disputes_provider_id_key: ["update disputes set provider_id = 'du_1'"],
  disputes_payment_id_fkey: [`update disputes set payment_id = '${nobody}'`],
  disputes_amount_minor_check: ['update disputes set amount_minor = 0'],
  disputes_status_check: [past('disputes', 'disputes_transition', "update disputes set status = 'forgotten'")],
  payment_site_pkey: ['insert into payment_site default values'],
  payment_site_singleton_check: ['insert into payment_site (singleton) values (false)'],
  found_payments_intent_id_key: ["update found_payments set intent_id = 'pi_found'"],
  found_payments_refund_id_key: ["update found_payments set outcome = 'returned', refund_status = 'pending', refund_id = 're_3'"],
  found_payments_amount_minor_check: ['update found_payments set amount_minor = 0'],
  found_payments_outcome_check: ["update found_payments set outcome = 'lost'"],
  found_payments_refund_status_check: ["update found_payments set refund_status = 'lost' where intent_id = 'pi_found'"],
  found_payments_refund: [
    "update found_payments set refund_status = null, refund_id = null where intent_id = 'pi_found'",
    "update found_payments set refund_status = 'pending' where intent_id = 'pi_rebuilt'",
  ],
  found_payments_refund_id: ["update found_payments set refund_id = 're_4' where intent_id = 'pi_rebuilt'"],
  fraud_warnings_provider_id_key: ["update fraud_warnings set provider_id = 'issfr_1'"],
  fraud_warnings_payment_id_fkey: [`update fraud_warnings set payment_id = '${nobody}'`],
  receipts_number_key: ['update receipts set number = 100001'],
  receipts_payment_id_key: [`update receipts set payment_id = '${idOf('spent')}'`],
  receipts_payment_id_fkey: [`update receipts set payment_id = '${nobody}' where payment_id = '${idOf('spent')}'`],
  receipts_user_id_fkey: [`update receipts set user_id = '${nobody}'`],
  payments_balanced: [],
  refunds_balanced: [],
  subscriptions_balanced: [],
};

/** Constraints implied by others, needed for a foreign key or an index. */
const implied = new Set(['plans_id_rank_key', 'reward_entries_whole', 'subscriptions_id_user_id_key']);

test.each(Object.entries(refused).filter(([, statements]) => statements.length > 0))(
  '%s holds, whoever writes',
  async (constraint, statements) => {
    for (const statement of statements) expect([statement, await refusalOf(statement)]).toEqual([statement, constraint]);
  },
);

/** The tables of money, plans, quotes, draws, tickets and referrals, and the audit log. */
const guarded = `adjustment_notes adjustment_numbers audit_head audit_log cards disputes draw_actions draw_entries draw_files draw_periods draw_picks
  draws found_payments fraud_warnings free_first_months free_month_claims free_month_grants given_entries payment_customers payments plans prize_claims
  provider_events quote_lines quotes receipts referrals refunds renewals reward_entries sealed_entrants subscriptions ticket_log_heads ticket_log_leaves
  ticket_log_nodes`;

test('tests every check, foreign key and unique index that guards money and states', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = any($1::regclass[]) and contype not in ('n', 'p')
      -- They write to the audit log and refuse nothing.
      and not (contype = 't' and conname ~ '_audited')
    union
    select indexrelid::regclass::text from pg_index where indisunique and not indisprimary and indrelid = any($1::regclass[])`,
    [guarded.split(/\s+/)],
  );
  expect(rows.length).toBeGreaterThan(200);
  expect(rows.map(({ name }) => name).filter((name) => !(name in refused) && !implied.has(name))).toEqual([]);
});

test.each([
  ['the first and the last month of a card', [set('cards', 'card', 'exp_month = 1'), set('cards', 'card', 'exp_month = 12')]],
  ['every slot used, and none', [set('subscriptions', 'paid', 'slots = 2'), set('subscriptions', 'free', 'slots = 0')]],
  [
    'a second closed purchase and a second user’s open one',
    [set('payments', 'open', "status = 'failed'"), set('payments', 'failed', `user_id = '${idOf('tama')}'`)],
  ],
  [
    'a closed change of plan next to an open one of the same listing',
    [`${set('payments', 'change', "status = 'failed'")}; ${set('payments', 'reactivation', `listing_id = '${idOf('first')}'`)}`],
  ],
])('accepts %s', async (_, statements) => {
  for (const statement of statements) expect([statement, await refusalOf(statement)]).toEqual([statement, null]);
});

const succeed = (word: string, bought: number) =>
  set('payments', word, `status = 'succeeded', succeeded_at = now(), captured_minor = 1500, bought_minor = ${bought}`);
const buy = (word: string) =>
  `insert into subscriptions (user_id, plan_id, country, source, payment_id, slots, starts_at, ends_at)
   select user_id, plan_id, country, 'payment', id, 1, now(), now() + interval '30 days' from payments where id = '${idOf(word)}'`;
const returnMoney = (word: string, amount: number) =>
  `insert into refunds (payment_id, amount_minor, source, reason) values ('${idOf(word)}', ${amount}, 'nothing_to_buy', 'Late.')`;
const failed = (word: string) => set('refunds', word, "status = 'failed', failure_reason = 'declined'");
const ended = set('subscriptions', 'paid', 'returned_at = now()');

const books = (word: string, bought: number, refunded: number, owed: number) =>
  `payment ${idOf(word)}: 1500 captured, but ${bought} bought + ${refunded} refunded + ${owed} owed`;
const stands = (word: string, bought: number, subscriptions: number) =>
  `payment ${idOf(word)}: ${bought} bought, with ${subscriptions} subscriptions`;

test.each<[string, string[], string | null]>([
  ['money that bought something', [succeed('open', 1500), buy('open')], null],
  ['money that goes back', [succeed('open', 0), returnMoney('open', 1500)], null],
  ['money that goes back in two parts', [succeed('open', 0), returnMoney('open', 1000), returnMoney('open', 500)], null],
  ['a part that goes back', [set('payments', 'spent', 'bought_minor = 1000'), returnMoney('spent', 500)], null],
  ['a full refund of an ended subscription', [set('payments', 'spent', 'bought_minor = 0'), returnMoney('spent', 1500), ended], null],
  ['what failed and is owed', [failed('refund'), set('payments', 'returned', 'owed_minor = 1500')], null],
  ['money that bought nothing', [succeed('open', 0)], books('open', 0, 0, 0)],
  [
    'money that bought something and goes back',
    [succeed('open', 1500), buy('open'), returnMoney('open', 1500)],
    books('open', 1500, 1500, 0),
  ],
  ['money that is said to have bought something', [succeed('open', 1500)], stands('open', 1500, 0)],
  ['something that nothing paid for', [succeed('open', 0), buy('open'), returnMoney('open', 1500)], stands('open', 0, 1)],
  ['something bought with money that has not arrived', [buy('open')], stands('open', 0, 1)],
  ['more that goes back than was taken', [returnMoney('returned', 1)], books('returned', 0, 1501, 0)],
  ['more of a refund than was taken', [set('refunds', 'refund', 'amount_minor = 1501')], books('returned', 0, 1501, 0)],
  [
    'a refund of money that has not arrived',
    [returnMoney('failed', 1500)],
    books('failed', 0, 1500, 0).replace('1500 captured', '0 captured'),
  ],
  ['a deleted refund', [`delete from adjustment_notes`, `delete from refunds where id = '${idOf('refund')}'`], books('returned', 0, 0, 0)],
  ['a refund moved to another payment', [set('refunds', 'refund', `payment_id = '${idOf('returned too')}'`)], books('returned', 0, 0, 0)],
  ['what failed and is not owed', [failed('refund')], books('returned', 0, 0, 0)],
  [
    'an amount owed without a failed refund',
    [set('payments', 'spent', 'bought_minor = 1000, owed_minor = 500')],
    `payment ${idOf('spent')}: 500 owed, of 0 that failed`,
  ],
  ['a plan that ended without its money', [ended], stands('spent', 1500, 0)],
  [
    'a gifted plan with money left in its payment',
    [set('subscriptions', 'paid', "source = 'grant', payment_id = null")],
    stands('spent', 1500, 0),
  ],
  [
    'a duplicated payment',
    [
      `insert into payments select (jsonb_populate_record(payments, '{"id": "${nobody}", "intent_id": "pi_new"}')).* from payments where id = '${idOf('spent')}'`,
    ],
    stands('spent', 1500, 0).replace(idOf('spent'), nobody),
  ],
])('rejects a commit with an unbalanced ledger: %s', async (_, statements, reason) => {
  expect(await refusalOf(statements.join(';'))).toBe(reason);
});

test('numbers listings from 1001 and receipts from 100001', async () => {
  const { rows } = await client.query(
    'select (select min(listing_number) from listings) as listing, (select min(number) from receipts) as receipt',
  );
  expect(rows).toEqual([{ listing: 1001, receipt: 100001 }]);
});

test('records drawn and struck winners with the reason', async () => {
  await client.query('begin');
  const { rows } = await client.query('select number from audit_head');
  await client.query(`${set('draw_picks', 'winner', "struck_at = now(), struck_reason = 'Not allowed.'")}; set constraints all immediate`);
  const logged = await client.query('select what, after from audit_log where number > $1', [rows[0].number]);
  await client.query('rollback');
  expect(logged.rows).toMatchObject([{ what: 'draw_picks.update', after: { struck_reason: 'Not allowed.' } }]);
});
