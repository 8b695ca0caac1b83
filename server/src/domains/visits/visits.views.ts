import { publicName } from '@handwise/contract/accounts/public-name';
import { getRegionTimeZone } from '@handwise/contract/places/regions';
import type { Visit } from '@handwise/contract/visits/calls';
import type { Role } from '../messages/messages.service.ts';
import type { VisitRow } from './visits.queries.ts';
import type { ProposedTime } from './visits.rules.ts';
import { getVisitStateAt, hasBegun, isChangeable } from './visits.states.ts';

export const getTimeZone = ({ region_code, country }: Pick<VisitRow, 'region_code' | 'country'>) => getRegionTimeZone(region_code, country);

export const getRole = (row: VisitRow, userId: string): Role => (row.buyer_id === userId ? 'buyer' : 'seller');

export const getUserOf = (row: Pick<VisitRow, 'buyer_id' | 'seller_id'>, role: Role) => (role === 'buyer' ? row.buyer_id : row.seller_id);

export const toVisitTime = ({ starts_at, minutes }: ProposedTime) => ({ start: starts_at.toISOString(), minutes });

/** When it is, or was before it was cancelled. */
export const getAgreedTime = ({ starts_at, minutes }: Pick<VisitRow, 'starts_at' | 'minutes'>) =>
  starts_at && minutes !== null ? { starts_at, minutes } : null;

export function toVisit(row: VisitRow, userId: string, now: Date): Visit {
  const state = getVisitStateAt(row.status, row.times, now);
  const agreed = getAgreedTime(row);
  const isOver = hasBegun(row, now);
  const times = isChangeable(state) && !isOver ? row.times.filter((time) => time.starts_at > now) : [];
  return {
    _id: row.id,
    conversationId: row.conversation_id,
    messageNumber: row.message_number,
    role: getRole(row, userId),
    state,
    revision: row.revision,
    timeZone: getTimeZone(row),
    agreed: agreed && toVisitTime(agreed),
    times: times.map(toVisitTime),
    proposedBy: times.length > 0 ? row.proposed_by : null,
    isOver,
    cancelled: row.cancelled_by === null ? null : { by: row.cancelled_by, reason: row.cancel_reason },
  };
}

/** The other side as this one may see it. */
export const getOtherName = (row: VisitRow, role: Role) => (role === 'buyer' ? row.business_title : publicName(row.full_name));
