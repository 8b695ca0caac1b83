import { periodName, timeWriter } from '@handwise/contract/dates';
import { counted } from '@handwise/contract/numbers';
import type { ReferralDashboard } from '@handwise/contract/referrals/calls';
import { scaleTop } from '../../ui/charts/chart.tsx';
import { sources } from './referral-view.ts';

type Analytics = ReferralDashboard['analytics'];

const writeShort = timeWriter('en-US', { month: 'short' });

/** "Nov" */
export const shortMonth = (month: string) => writeShort(`${month}-01`, 'UTC');

/** A column for each month, in per cent of the scale; what is converted is a part of what came. */
export function monthColumns(months: Analytics['referralsByMonth']) {
  const top = scaleTop(Math.max(0, ...months.map(({ referrals }) => referrals)));
  return {
    top,
    columns: months.map(({ month, referrals, converted }) => ({
      month,
      referrals,
      converted,
      height: (referrals / top) * 100,
      convertedShare: referrals === 0 ? 0 : (Math.min(converted, referrals) / referrals) * 100,
    })),
  };
}

/** The months in words, for those who do not see them drawn. */
export function monthsSummary(months: Analytics['referralsByMonth']): string {
  const referrals = months.reduce((sum, one) => sum + one.referrals, 0);
  const converted = months.reduce((sum, one) => sum + one.converted, 0);
  const best = months.reduce((highest, one) => (one.referrals > highest.referrals ? one : highest), { month: '', referrals: 0 });
  const said = `${counted(referrals, 'referral')} in ${counted(months.length, 'month')}, ${converted} of them converted`;
  return best.referrals === 0 ? `${said}.` : `${said}, most in ${periodName(best.month)}: ${best.referrals}.`;
}

/** What tickets came from: each source with its number and its share of the longest bar, in per cent. */
export function sourceBars(entries: Analytics['entriesBySource']) {
  const longest = Math.max(1, ...Object.values(entries));
  return sources.map(({ source, name }) => ({ source, name, tickets: entries[source], length: (entries[source] / longest) * 100 }));
}

/** The sources in words. */
export const sourcesSummary = (entries: Analytics['entriesBySource']): string =>
  `${sourceBars(entries)
    .map(({ name, tickets }) => `${name} ${tickets}`)
    .join(', ')}.`;
