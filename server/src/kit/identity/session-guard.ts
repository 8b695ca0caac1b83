import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { toLoggedUrl } from '../logging.ts';

/** The signed-in user of a request, with the token and id of the session. */
export type Viewer = {
  id: string;
  role: 'user' | 'admin';
  token: string;
  sessionId: string;
  /** Whether they signed in or confirmed their identity in the last minutes. */
  isRecent: boolean;
  /** Whether a staff member views the site as this user. */
  isLook: boolean;
  /** Whether this request has extended the session, which happens every few minutes. */
  isExtended: boolean;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Set by the accounts domain, because the kit does not depend on domains. */
    findViewer: (token: string) => Promise<Viewer | undefined>;
  }
  interface FastifyRequest {
    viewer: Viewer | null;
  }
}

function bearerToken(request: FastifyRequest) {
  return /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** Allows requests without a session. An expired token is rejected, so that the browser notices. */
export async function readSession(request: FastifyRequest) {
  if (!request.headers.authorization) return;
  await requireSession(request);
}

export async function requireSession(request: FastifyRequest) {
  const token = bearerToken(request);
  const viewer = token && (await request.server.findViewer(token));
  if (!viewer) throw new AppError('not_authenticated');
  if (viewer.isLook && request.method !== 'GET' && request.method !== 'HEAD') throw new AppError('look_only');
  request.viewer = viewer;
}

/** The role is read from the database with the session, so losing it takes effect at the next request. */
export async function requireAdmin(request: FastifyRequest) {
  await requireSession(request);
  const { id, role } = getViewer(request);
  if (role === 'admin') return;
  request.log.warn({ userId: id, method: request.method, url: toLoggedUrl(request.url) }, 'an administrators’ call was rejected');
  throw new AppError('forbidden');
}

/** After `requireSession`, for actions that a signed-in browser alone must not allow. */
export async function requireRecent(request: FastifyRequest) {
  if (!getViewer(request).isRecent) throw new AppError('confirm_identity');
}

/** The signed-in user of a call whose access is `session` or `admin`. */
export function getViewer(request: FastifyRequest): Viewer {
  if (!request.viewer) throw new AppError('not_authenticated');
  return request.viewer;
}
