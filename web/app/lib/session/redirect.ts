import { paths } from '@handwise/contract/paths';
import { parseUrl } from '@handwise/contract/urls';

const somewhere = 'https://own.invalid';

/**
 * The path that a `redirect` parameter may lead to: one of our own pages, else /home. Rejects anything that a browser could read as another
 * origin: `//evil`, `https:`, a backslash, control characters.
 */
export function getSafeRedirect(target: string | null | undefined): string {
  if (!target || !/^\/(?![/\\]|%2f|%5c)/i.test(target) || /[\\\p{Cc}]/u.test(target)) return paths.browse;
  const url = parseUrl(target, somewhere);
  if (url?.origin !== somewhere || url.pathname.startsWith('//')) return paths.browse;
  // Signing in must not lead back to a sign-in page.
  if (url.pathname.startsWith('/auth/') && url.pathname !== paths.verifyEmail) return paths.browse;
  return url.pathname + url.search + url.hash;
}

const leadingBack = (path: string, from: string) => `${path}?redirect=${encodeURIComponent(from).replaceAll('%2F', '/')}`;

/** The sign-in page that returns to `from`. */
export const getLoginPath = (from: string) => leadingBack(paths.login, from);
/** What a link to the registration page may pass on without naming it in the address. */
export type RegisterState = { email: string };
export const getRegisterPath = (from: string) => leadingBack(paths.register, from);
/** The page after signing up, which returns to `from` unless that is trivial. */
export const signupSuccessPath = (from: string) => (from === paths.browse ? paths.signupSuccess : leadingBack(paths.signupSuccess, from));
