import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs } from '@handwise/contract/dates';
import { importColumns } from '@handwise/contract/invitations/words';
import { findCategoryByCode } from '@handwise/contract/listings/categories';
import { findDistrictByCode, findRegionByDistrict } from '@handwise/contract/places/regions';
import * as imports from '@handwise/server/domains/invitations/invitations.import';
import * as invitations from '@handwise/server/domains/invitations/invitations.service';
import type { Env } from '@handwise/server/env';
import type { Db } from '@handwise/server/kit/database';
import type { Mail } from '@handwise/server/kit/mail';
import { withDemoContext } from './demo-context.ts';

const refusing =
  'Tui Handyman,Handyman,Napier,06 555 0119,office@tui-handyman.example,,,,Small repairs at fair prices,Their website in October 2026';
const firstRows = [
  'Rata Roofing,Roofing,Taupō,07 555 0117,office@rata-roofing.example,rata-roofing.example,,,Long-run iron since 1998,Their website in October 2026',
  'Miro Painting,Painting,Ponsonby,09 555 0118,office@miro-painting.example,,,,Old villas are what we like best,Their website in October 2026',
  refusing,
  'Weka Windows,Window & Glazing,Atlantis,,office@weka-windows.example,,,,,Their website in October 2026',
];
const laterRows = [
  'Kea Fencing,Fencing & gates,Cambridge,07 555 0120,office@kea-fencing.example,,,,Post and rail,Their website in October 2026',
  'Huia Lawns,Lawn maintenance,Karori,04 555 0121,office@huia-lawns.example,,,,Mowing and hedges,Their website in October 2026',
  refusing,
];

/**
 * Two imports through the product's services: of the first one's businesses, two were reminded, one refused and one has a listing; those of the
 * second have not answered yet.
 */
export const fillDemoInvitations = (env: Env, databaseUrl: string, now = new Date()): Promise<void> =>
  withDemoContext(env, databaseUrl, async (context, clock, discarded) => {
    const { db } = context;
    const admin = await db.selectFrom('users').select('id').where('email', '=', 'admin@example.com').executeTakeFirst();
    const published = await findNewestBusiness(db);
    if (!admin || !published) return;
    const folder = mkdtempSync(join(tmpdir(), 'handwise-demo-import-'));
    const invite = async (daysAgo: number, rows: readonly string[]) => {
      clock.time = new Date(now.getTime() - daysAgo * dayMs);
      const path = join(folder, 'businesses.csv');
      writeFileSync(path, [Object.keys(importColumns).join(), ...rows].join('\n'));
      const { _id, fileHash } = await imports.createImport(context, admin.id, { country: 'NZ' }, path);
      await imports.executeImport(context, admin.id, _id, { fileHash, basis: 'published_address', isConfirmed: true });
      await imports.applyImport(context, _id);
    };
    try {
      await invite(9, [...firstRows, published.row]);
      clock.time = new Date(now.getTime() - 8 * dayMs);
      await invitations.refuseInvitations(context, readTokens(discarded, 'office@tui-handyman.example').refuse);
      await invitations.claimInvitation(context, published.sellerId, readTokens(discarded, published.email).accept, 'demo');
      clock.time = new Date(now.getTime() - 2 * dayMs);
      await invitations.remindOfInvitations(context);
      await invite(2, laterRows);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

/** The newest listing of somebody else than the demo accounts, as a row with another mailbox of the business. */
async function findNewestBusiness(db: Db) {
  const found = await db
    .selectFrom('listings')
    .innerJoin('users', 'users.id', 'seller_id')
    .select(['seller_id', 'business_title', 'business_email', 'category_code', 'district_code'])
    .where('listings.status', '=', 'active')
    .where('country', '=', 'NZ')
    .where('email', 'not like', '%@example.com')
    .orderBy('listing_number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!found) return undefined;
  const email = `office@${found.business_email.split('@')[1]}`;
  const place = [findDistrictByCode(found.district_code)?.name, findRegionByDistrict(found.district_code)?.name].join(', ');
  return {
    sellerId: found.seller_id,
    email,
    row: `"${found.business_title}","${findCategoryByCode(found.category_code)?.name}","${place}",,${email},,,,,Their website in October 2026`,
  };
}

/** The tokens of the invitation that a mailbox would have got. */
function readTokens(mails: readonly object[], email: string): { accept: string; refuse: string } {
  const mail = mails.find((one): one is Mail => 'to' in one && one.to === email);
  const button = mail?.blocks.find((block) => block.kind === 'button');
  const tokenOf = (url = '') => new URL(url).searchParams.get('token') ?? '';
  return { accept: tokenOf(button?.url), refuse: tokenOf(mail?.end?.oneClick) };
}
