/**
 * The calls of members' pages by path, without a query string. The head script makes them while the page's scripts load, because those pages
 * are empty until they are answered.
 */
export const earlyCalls: Readonly<Record<string, readonly string[]>> = {
  '/home': ['/search'],
  '/messages': ['/messages?page=1'],
  '/account': ['/auth/me', '/decisions'],
  '/mylistings/mylistings': ['/listing/mylistings?status=all&page=1', '/plan-user/my-subscriptions', '/credit/all'],
  '/referral': ['/referral/dashboard'],
  '/addList': ['/plan-user/my-subscriptions', '/listing/mylistings?limit=1', '/plan/all'],
  '/admin': ['/admin/overview', '/admin/referrals?status=held&page=1'],
  '/admin/funnel': ['/admin/funnel'],
};

const validMs = 15_000;

declare global {
  interface Window {
    early?: { token: string; startedAt: number; responses: Record<string, Promise<Response>> };
  }
}

/** Inline in the head script, where `u` is the stored user. */
export const earlyCallsScript = /* @__PURE__ */ (() =>
  `(function(){var c=${JSON.stringify(earlyCalls)}[location.pathname];if(!u||!u.token||!c||location.search)return;` +
  'window.early={token:u.token,startedAt:Date.now(),responses:{}};c.forEach(function(p){' +
  "var a=window.early.responses[p]=fetch('/api'+p,{headers:{Accept:'application/json',Authorization:'Bearer '+u.token}});a.catch(function(){})})})();")();

/** The response of an early call of the user with this token. Each is given once, and none that could be out of date. */
export function takeEarlyResponse(path: string, token: string | undefined): Promise<Response> | undefined {
  const { early } = globalThis as unknown as Partial<Window>;
  if (!early || early.token !== token || Date.now() - early.startedAt > validMs) return undefined;
  const response = early.responses[path];
  delete early.responses[path];
  return response;
}

/** A copy of the response of an early call, which leaves it to the call that takes it. */
export const copyEarlyResponse = async (path: string): Promise<Response | undefined> =>
  (await (globalThis as unknown as Partial<Window>).early?.responses[path])?.clone();
