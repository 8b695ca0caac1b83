import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { SessionUser } from '@handwise/contract/accounts/calls';
import type { PlanType } from '@handwise/contract/plans/calls';
import { plans } from '@handwise/contract/plans/table';
import type { Context } from '@handwise/server/kit/context';
import type { Callers, FormFile } from './callers.ts';
import { type ListingOptions, listingForm, listingRow } from './listing.ts';
import type { Sandbox } from './provider.ts';

type User = { token: string };

/** Test data: users, payments and cards through API calls, listings as rows. */
export async function createFixtures(
  { db, events }: Context,
  { as, asVisitor }: Callers,
  { confirmAtProvider, authenticateAtBank }: Sandbox,
) {
  let made = 0;
  const planIds = new Map((await db.selectFrom('plans').select(['id', 'plan_type']).execute()).map(({ id, plan_type }) => [plan_type, id]));
  const planId = (plan: PlanType) => planIds.get(plan) ?? '';

  /** An active subscription, or one that expired a day ago. */
  const subscription = async (sellerId: string, district: number, plan: PlanType, isOver: boolean) => {
    const ends = new Date(Date.now() + (isOver ? -1 : 20) * 86_400_000);
    return db
      .insertInto('subscriptions')
      .values({
        user_id: sellerId,
        plan_id: planId(plan),
        country: district < 1700 ? 'NZ' : 'AU',
        source: 'grant',
        slots: plans[plan].slots,
        starts_at: new Date(ends.getTime() - 30 * 86_400_000),
        ends_at: ends,
      })
      .returning(['id', 'user_id', 'ends_at'])
      .executeTakeFirstOrThrow();
  };

  const given = {
    /** A registered user with a session. */
    async user(overrides: { fullName?: string; username?: string; email?: string; password?: string } = {}): Promise<SessionUser> {
      made += 1;
      const form = {
        fullName: 'Mere Kingi',
        username: `user_${made}`,
        email: `user${made}@example.org`,
        password: 'correct-horse',
        ...overrides,
      };
      const answer = await asVisitor.post('/auth/register', form);
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body.data;
    },
    /** Confirms a user's address. */
    async confirmed(user: SessionUser): Promise<SessionUser> {
      await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', user._id).execute();
      return user;
    },
    /** A registered user with a confirmed address. */
    async member(overrides: { fullName?: string } = {}): Promise<SessionUser> {
      const user = await given.user(overrides);
      await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', user._id).execute();
      return user;
    },
    async administrator(overrides: { fullName?: string } = {}): Promise<SessionUser> {
      const user = await given.member(overrides);
      await db.updateTable('users').set({ role: 'admin' }).where('id', '=', user._id).execute();
      return user;
    },
    /** A listing, by default with its own seller and subscription. */
    async listing(options: ListingOptions & { sellerId?: string; subscriptionId?: string } = {}) {
      const { district = 306, plan = 'basic', status = 'active' } = options;
      const under = options.subscriptionId
        ? await db
            .selectFrom('subscriptions')
            .select(['id', 'user_id', 'ends_at'])
            .where('id', '=', options.subscriptionId)
            .executeTakeFirstOrThrow()
        : await subscription(options.sellerId ?? (await given.user())._id, district, plan, status === 'expired');
      const listing = await db
        .insertInto('listings')
        .values({
          ...listingRow(under, options),
          licence_exemption: (options.category ?? 6) === 6 ? 'A licensed partner supervises us' : null,
        })
        .returning(['id', 'listing_number', 'seller_id'])
        .executeTakeFirstOrThrow();
      await sql`select add_to_vocabulary(array[${listing.id}]::uuid[])`.execute(db);
      // Waits until the server's caches are invalidated.
      await events.catchUp();
      return listing;
    },
    /** The id of a plan. */
    planId,
    /** A payment that succeeded at the provider and is not booked yet; returns its intent's id. */
    async payment(user: User, plan: PlanType = 'basic', country: 'NZ' | 'AU' = 'NZ'): Promise<string> {
      const answer = await as(user).post('/plan-user/create-intent', { planId: planId(plan), country });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      await confirmAtProvider(answer.body.clientSecret);
      return answer.body.paymentIntentId;
    },
    /** A saved card of a user: its id. */
    async card(user: User, number = '4242424242424242'): Promise<string> {
      const { body } = await as(user).post('/credit/setup-intent');
      const { status } = await confirmAtProvider(body.clientSecret, number);
      if (status === 'requires_action') await authenticateAtBank(body.clientSecret);
      const card = await as(user).post('/credit', { setupIntentId: body.setupIntentId });
      if (card.status !== 201) throw new Error(JSON.stringify(card.body));
      return card.body._id;
    },
    /** A saved card that no other user has, as a row. */
    async ownCard(user: SessionUser): Promise<void> {
      const id = randomUUID();
      await db
        .insertInto('cards')
        .values({
          user_id: user._id,
          payment_method_id: `pm_${id}`,
          full_name: user.fullName,
          brand: 'visa',
          last4: '4242',
          exp_month: 12,
          exp_year: 2031,
          fingerprint: id,
        })
        .execute();
    },
    /** The text fields of a new listing, as the wizard sends them. */
    listingForm: (plan: PlanType = 'basic', overrides: Record<string, string | readonly string[]> = {}) =>
      listingForm(planId(plan), overrides),
    /** A seller who has paid for a plan and published under it. */
    async published(plan: PlanType = 'basic', files: readonly FormFile[] = [], more: Record<string, string | readonly string[]> = {}) {
      const seller = await given.user();
      const paymentId = await given.payment(seller, plan);
      const { status, body } = await as(seller).postForm('/listing/create', given.listingForm(plan, { paymentId, ...more }), files);
      if (status !== 201) throw new Error(JSON.stringify(body));
      return { seller, paymentId, listing: body.listing };
    },
    /** A listing that its seller has edited once, and edits again with `edit`. */
    async editedListing(texts: Record<string, string> = {}, place = { district: 306, location: 'Taupō, Waikato, New Zealand' }) {
      const seller = await given.user();
      const { id } = await given.listing({ sellerId: seller._id, district: place.district });
      const edit = async (changes: Record<string, string> = {}) => {
        const { submissionId: _, servicePlan: __, ...form } = given.listingForm('basic', { location: place.location });
        const without = Object.fromEntries(Object.entries(form).filter(([name]) => !name.startsWith('licence')));
        const { status, body } = await as(seller).putForm(`/listing/${id}`, { ...without, ...changes });
        if (status !== 200) throw new Error(JSON.stringify(body));
      };
      await edit(texts);
      return {
        seller,
        id,
        edit,
        seen: async () => (await asVisitor.get(`/listing/${id}`)).body,
        own: async () => (await as(seller).get(`/listing/${id}`)).body,
      };
    },
    async review(listingId: string, rating: number, comment = 'Tidy work, fair price.') {
      const author = await given.user();
      return db
        .insertInto('reviews')
        .values({ listing_id: listingId, author_id: author._id, rating, comment })
        .returning('id')
        .executeTakeFirstOrThrow();
    },
  };
  return given;
}
