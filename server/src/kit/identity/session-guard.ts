import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { loggedUrl } from '../logged-request.ts';

/** Who is asking. `token` is what they proved it with, `sessionId` names that session. */
export type Viewer = {
  id: string;
  role: 'user' | 'admin';
  token: string;
  sessionId: string;
  /** Whether they proved who they are in the last minutes. */
  isRecent: boolean;
  /** Somebody of the staff who looks at the site as this user. */
  isLook: boolean;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Set by the accounts domain: the kit guards, but knows no accounts. */
    findViewer: (token: string) => Promise<Viewer | undefined>;
  }
  interface FastifyRequest {
    viewer: Viewer | null;
  }
}

function bearerToken(request: FastifyRequest) {
  return /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** Lets everybody through and says who it is. A token that no longer holds is refused, so that the browser learns of it. */
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

/** The role is read from the database with the session: whoever loses it is refused at the next request. */
export async function requireAdmin(request: FastifyRequest) {
  await requireSession(request);
  const { id, role } = viewerOf(request);
  if (role === 'admin') return;
  request.log.warn({ userId: id, method: request.method, url: loggedUrl(request.url) }, 'a call for administrators was refused');
  throw new AppError('forbidden');
}

/** After `requireSession`, for what must not be done by whoever merely found a browser signed in. */
export async function requireRecent(request: FastifyRequest) {
  if (!viewerOf(request).isRecent) throw new AppError('confirm_identity');
}

/** The signed-in user of a call whose access is `session` or `admin`. */
export function viewerOf(request: FastifyRequest): Viewer {
  if (!request.viewer) throw new AppError('not_authenticated');
  return request.viewer;
}
