import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionUser } from '@handwise/contract/accounts';
import { categoryOfCode } from '@handwise/contract/categories';
import { districtOfCode, regionOfCode } from '@handwise/contract/places';
import { plans } from '@handwise/contract/plan-table';
import type { PlanType } from '@handwise/contract/plans';
import { type Site, buildApp } from '@handwise/server/app';
import { openPayments } from '@handwise/server/checkout';
import { readEnv } from '@handwise/server/env';
import type { Clock, Context } from '@handwise/server/kit/context';
import { openDatabase } from '@handwise/server/kit/database';
import { handleJobs } from '@handwise/server/job-handlers';
import { Events } from '@handwise/server/kit/events';
import { openFileStore } from '@handwise/server/kit/files';
import { Jobs } from '@handwise/server/kit/jobs';
import { type Mail, sendMail } from '@handwise/server/kit/mail';
import { openStripe } from '@handwise/server/kit/stripe';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, inject } from 'vitest';
import { type StripeOptions, startStripe } from './stripe/start-stripe.ts';
import { giveCard } from './test-card.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server that tests make their databases on. */
    postgresUrl: string;
    /** The migrated database that each of them is a copy of. */
    templateDatabase: string;
  }
}

export type FormFile = { field: string; name: string; bytes: Uint8Array };

export type Answer = { status: number; body: any; headers: Record<string, string | string[] | number | undefined> };

/** A copy of the migrated template, dropped after the test file. */
export async function testDatabase() {
  const base = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: base });
  await admin.connect();
  await admin.query(`create database ${name} template ${inject('templateDatabase')}`);
  afterAll(async () => {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  return { url: base.replace(/postgres$/, name) };
}

/** The true time, until a test moves it. */
class TestClock implements Clock {
  #ahead = 0;
  now = () => new Date(Date.now() + this.#ahead);

  /** Goes on from this time. */
  set(time: Date) {
    this.#ahead = time.getTime() - Date.now();
  }
}

/** The real server on a database of its own, called through HTTP without a network. Call it once in a file. */
export async function testApp(environment: Record<string, string> = {}, site: Site | null = null) {
  const { url } = await testDatabase();
  const database = openDatabase({ url, connections: 10, onIdleError: () => {} });
  const dataDir = mkdtempSync(join(tmpdir(), 'handwise-files-'));
  const env = readEnv({ NODE_ENV: 'test', APP_URL: 'http://localhost:3000', DATA_DIR: dataDir, ...environment });
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const events = new Events(url, () => {});
  await events.start();
  const { db } = database;
  const jobs = new Jobs({ pool: database.pool, logger });
  const keys = { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret: 'whsec_sandbox' };
  // Webhooks reach the app where a test passes them on: most want to say themselves who brings the news.
  let onProviderCall: StripeOptions['onRequest'];
  const stripe = await startStripe({
    ...keys,
    file: ':memory:',
    port: 0,
    webhookUrl: () => null,
    onRequest: (request, phase) => onProviderCall?.(request, phase),
  });
  const settings = { ...keys, apiBase: stripe.url };
  const store = await openFileStore(null, join(dataDir, 'files'), () => {});
  const clock = new TestClock();
  const context: Context = { db, jobs, events, store, clock, appUrl: env.appUrl };
  const payments = openPayments({ context, env, stripe: settings });
  handleJobs(context, payments);
  const app = await buildApp({
    env,
    context,
    payments,
    stripe: settings,
    logger,
    site,
    isReady: () => true,
    checkAnswers: true,
  });
  await jobs.start({ work: false });
  await jobs.prepare(sendMail);
  afterAll(async () => {
    await app.close();
    await stripe.close();
    await jobs.stop();
    await events.stop();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const caller = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') => {
    const send =
      (method: 'GET' | 'POST' | 'PUT' | 'DELETE') =>
      async (path: string, body?: object): Promise<Answer> => {
        const answer = await app.inject({ method, url: `/api${path}`, headers, remoteAddress, ...(body && { payload: body }) });
        return {
          status: answer.statusCode,
          body: answer.body && answer.headers['content-type']?.toString().includes('json') ? answer.json() : answer.body,
          headers: answer.headers,
        };
      };
    /** A form with files, as a browser sends it. Text fields can be lists; a file is its bytes. */
    const sendForm =
      (method: 'POST' | 'PUT') =>
      async (path: string, fields: Record<string, string | readonly string[]>, files: readonly FormFile[] = []): Promise<Answer> => {
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
        for (const { field, name, bytes } of files) form.append(field, new Blob([new Uint8Array(bytes)]), name);
        const encoded = new Response(form);
        const payload = Buffer.from(await encoded.arrayBuffer());
        const type = encoded.headers.get('content-type') ?? '';
        const answer = await app.inject({
          method,
          url: `/api${path}`,
          headers: { ...headers, 'content-type': type },
          remoteAddress,
          payload,
        });
        return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
      };
    return {
      get: send('GET'),
      post: send('POST'),
      put: send('PUT'),
      delete: send('DELETE'),
      postForm: sendForm('POST'),
      putForm: sendForm('PUT'),
    };
  };

  const confirmAtProvider = (secret: string, card?: string, more?: Record<string, string>) =>
    giveCard({ url: stripe.url, publishableKey: keys.publishableKey }, secret, card, more);

  /** The cardholder's answer to 3-D Secure. */
  const authenticateAtBank = async (secret: string, outcome: 'success' | 'fail' = 'success') => {
    const body = new URLSearchParams({ key: keys.publishableKey, client_secret: secret, outcome });
    const answer = await fetch(`${stripe.url}/sandbox/authenticate`, { method: 'POST', body });
    return (await answer.json()) as { status?: string };
  };

  let made = 0;
  const planIds = await db.selectFrom('plans').select(['id', 'plan_type']).execute();
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
      const answer = await caller().post('/auth/register', form);
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body.data;
    },
    /** A listing, with a seller and a running subscription of its own unless they are given. */
    async listing(
      overrides: {
        title?: string;
        district?: number;
        category?: number;
        subCategory?: number | null;
        plan?: PlanType;
        status?: 'active' | 'inactive' | 'expired';
        sellerId?: string;
        createdAt?: Date;
      } = {},
    ) {
      const {
        title = 'Friendly local plumber',
        district = 306,
        category = 6,
        subCategory = null,
        plan = 'basic',
        status = 'active',
      } = overrides;
      const sellerId = overrides.sellerId ?? (await given.user())._id;
      const planId = planIds.find((one) => one.plan_type === plan)?.id ?? '';
      const ends = new Date(Date.now() + (status === 'expired' ? -1 : 20) * 86_400_000);
      const subscription = await db
        .insertInto('subscriptions')
        .values({
          user_id: sellerId,
          plan_id: planId,
          country: district < 1700 ? 'NZ' : 'AU',
          source: 'grant',
          slots: plans[plan].slots,
          starts_at: new Date(ends.getTime() - 30 * 86_400_000),
          ends_at: ends,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const regionCode = Math.floor(district / 100);
      const country = regionOfCode(regionCode)?.country;
      const mainCategory = categoryOfCode(category)?.mainCategory;
      if (!country || !mainCategory || !districtOfCode(district)) throw new Error('no such place or category');
      const listing = await db
        .insertInto('listings')
        .values({
          seller_id: sellerId,
          subscription_id: subscription.id,
          subscription_ends_at: ends,
          status,
          plan_rank: plans[plan].rank,
          country,
          region_code: regionCode,
          district_code: district,
          main_category: mainCategory,
          category_code: category,
          sub_category_code: subCategory,
          service_title: title,
          service_description: 'We come when we say we will and leave the place tidy.',
          services: ['Repairs'],
          business_title: 'Kingi & Daughters',
          business_email: 'office@kingi.example',
          business_info: 'A family business that has looked after homes in the area for twenty years.',
          created_at: overrides.createdAt ?? new Date(),
        })
        .returning(['id', 'listing_number', 'seller_id'])
        .executeTakeFirstOrThrow();
      // Only then has the server forgotten what it remembered.
      await events.catchUp();
      return listing;
    },
    /** The id of a plan. */
    planId: (plan: PlanType) => planIds.find((one) => one.plan_type === plan)?.id ?? '',
    /** A payment that the provider has taken and the app does not know of yet: its intent's id. */
    async payment(user: { token: string }, plan: PlanType = 'basic', country: 'NZ' | 'AU' = 'NZ'): Promise<string> {
      const answer = await caller({ authorization: `Bearer ${user.token}` }).post('/plan-user/create-intent', {
        planId: given.planId(plan),
        country,
      });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      await confirmAtProvider(answer.body.clientSecret);
      return answer.body.paymentIntentId;
    },
    /** A saved card of a user: its id. */
    async card(user: { token: string }, number = '4242424242424242'): Promise<string> {
      const as = caller({ authorization: `Bearer ${user.token}` });
      const { body } = await as.post('/credit/setup-intent');
      const { status } = await confirmAtProvider(body.clientSecret, number);
      if (status === 'requires_action') await authenticateAtBank(body.clientSecret);
      const card = await as.post('/credit', { setupIntentId: body.setupIntentId });
      if (card.status !== 201) throw new Error(JSON.stringify(card.body));
      return card.body._id;
    },
    /** The text fields of a new listing, as the wizard sends them. */
    listingForm: (plan: PlanType = 'basic', overrides: Record<string, string | readonly string[]> = {}) => ({
      submissionId: randomUUID(),
      businessTitle: 'Kingi & Daughters',
      serviceTitle: 'Friendly local plumber',
      businessEmailAddress: 'office@kingi.example',
      businessInfo: 'A family business that has looked after homes in the area for twenty years.',
      serviceDescription: 'We come when we say we will and leave the place tidy.',
      serviceCategory: 'Plumbing',
      servicePlan: given.planId(plan),
      location: 'Taupō, Waikato, New Zealand',
      'services[]': ['Leaks', 'Hot water'] as readonly string[],
      ...overrides,
    }),
    async review(listingId: string, rating: number, comment = 'Tidy work, fair price.') {
      const author = await given.user();
      return db
        .insertInto('reviews')
        .values({ listing_id: listingId, author_id: author._id, rating, comment })
        .returning('id')
        .executeTakeFirstOrThrow();
    },
  };

  /** The data of the jobs of this name that wait, oldest first. */
  const queued = (name: string): Promise<any[]> => jobs.listWaiting(name);

  return {
    app,
    db,
    context,
    payments,
    /** The provider, as the app's own client sees it. */
    provider: openStripe(settings),
    clock,
    store,
    stripe,
    /** What happens around each call of the provider from now on; nothing without a hook. */
    aroundProvider: (hook?: StripeOptions['onRequest']) => {
      onProviderCall = hook;
    },
    confirmAtProvider,
    authenticateAtBank,
    jobs,
    given,
    queued,
    /** Works off the jobs that are due, mails apart: they stay where `mails` sees them. */
    runJobs: () => jobs.runQueued(),
    /** The mails that wait to be sent, oldest first. */
    mails: (): Promise<Mail[]> => queued(sendMail.name),
    /** What the server logged at level warn and above, a line each. */
    logged: lines,
    asVisitor: caller(),
    as: (user: { token: string }) => caller({ authorization: `Bearer ${user.token}` }),
    from: (remoteAddress: string, headers: Record<string, string> = {}) => caller(headers, remoteAddress),
    /** On a host of one country, as a visitor or as a user. */
    onHost: (host: string, user?: { token: string }) => caller({ host, ...(user && { authorization: `Bearer ${user.token}` }) }),
  };
}
