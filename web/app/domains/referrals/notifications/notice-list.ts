import { formatPrizeDollars } from '@handwise/contract/draws/prize';
import type { ReferralNotification } from '@handwise/contract/referrals/notifications';
import { site } from '@handwise/contract/site/site';

export type ReferralNotice = ReferralNotification;

/** Adds a new notice in front, or moves it there if it is already listed. */
export const withNotice = (notices: readonly ReferralNotice[], notice: ReferralNotice): readonly ReferralNotice[] => [
  notice,
  ...notices.filter(({ id }) => id !== notice.id),
];

/** Removes seen notices. Returns the same list if it has none of them. */
export function withoutSeen(notices: readonly ReferralNotice[], ids: readonly string[]): readonly ReferralNotice[] {
  const left = notices.filter(({ id }) => !ids.includes(id));
  return left.length === notices.length ? notices : left;
}

/** The fetched list, preceded by notices that arrived during the request. */
export const withRead = (arrived: readonly ReferralNotice[], read: readonly ReferralNotice[]): readonly ReferralNotice[] => {
  const fetchedIds = new Set(read.map(({ id }) => id));
  return [...arrived.filter(({ id }) => !fetchedIds.has(id)), ...read];
};

export const noticeTitle = 'New Referral!';

const texts: Record<ReferralNotice['type'], (prize: string) => string> = {
  signup: (prize) => `Someone just signed up using your referral code! You've earned 1 ticket for the ${prize} monthly draw.`,
  listing: (prize) => `Someone just created a listing using your referral code! You've earned 5 tickets for the ${prize} monthly draw.`,
};

/** An older server, or one that has not created the draw, does not say the prize. */
export const formatNotice = ({ type, prize = Number(site.drawPrize) }: Pick<ReferralNotice, 'type' | 'prize'>): string =>
  texts[type](formatPrizeDollars(prize));

const mostOnBadge = 9;

/** The number on the badge: "9+" from ten on. */
export const formatBadge = (count: number): string => (count > mostOnBadge ? `${mostOnBadge}+` : `${count}`);

/** Who sees the simulation panel: everyone in the sandbox, else administrators. */
export const mayTestNotices = (sandbox: boolean, role: string | undefined): boolean => sandbox || role === 'admin';
