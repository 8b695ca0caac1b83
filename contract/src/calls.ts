import type { Call, CallInput, CallOutput } from './call.ts';

// oxlint-disable typescript/consistent-type-imports -- fifty imports with fifty names would say the same twice

/** The modules that describe calls. */
type Modules =
  | typeof import('./accounts/address.ts')
  | typeof import('./accounts/calls.ts')
  | typeof import('./accounts/data.ts')
  | typeof import('./accounts/links.ts')
  | typeof import('./accounts/profile.ts')
  | typeof import('./admin/calls.ts')
  | typeof import('./admin/payments.ts')
  | typeof import('./admin/report-calls.ts')
  | typeof import('./admin/reports.ts')
  | typeof import('./admin/search.ts')
  | typeof import('./admin/work.ts')
  | typeof import('./alerts/calls.ts')
  | typeof import('./analytics/calls.ts')
  | typeof import('./costs/calls.ts')
  | typeof import('./draws/admin.ts')
  | typeof import('./draws/calls.ts')
  | typeof import('./registers/calls.ts')
  | typeof import('./funnel/calls.ts')
  | typeof import('./invitations/calls.ts')
  | typeof import('./listings/calls.ts')
  | typeof import('./listings/service-area.ts')
  | typeof import('./live-events.ts')
  | typeof import('./mail-preferences.ts')
  | typeof import('./messages/calls.ts')
  | typeof import('./messages/quote-requests.ts')
  | typeof import('./payments/calls.ts')
  | typeof import('./payments/refunds.ts')
  | typeof import('./plans/calls.ts')
  | typeof import('./plans/renewal-calls.ts')
  | typeof import('./push/calls.ts')
  | typeof import('./quotes/calls.ts')
  | typeof import('./referrals/admin.ts')
  | typeof import('./referrals/calls.ts')
  | typeof import('./referrals/notifications.ts')
  | typeof import('./reviews/calls.ts')
  | typeof import('./saved/calls.ts')
  | typeof import('./search/calls.ts')
  | typeof import('./search/places.ts')
  | typeof import('./search/suggest.ts')
  | typeof import('./selling/calls.ts')
  | typeof import('./sign-in/calls.ts')
  | typeof import('./sign-in/passkeys.ts')
  | typeof import('./sign-in/providers.ts')
  | typeof import('./sign-in/second-step.ts')
  | typeof import('./site/calls.ts')
  | typeof import('./site/contact.ts')
  | typeof import('./site/health.ts')
  | typeof import('./site/settings.ts')
  | typeof import('./site/vitals.ts')
  | typeof import('./tickets/calls.ts')
  | typeof import('./unanswered/calls.ts')
  | typeof import('./visits/calls.ts');

type ValueOf<Module> = Module extends unknown ? Module[keyof Module] : never;

/** Every call of the API by its address, as in `GET /listing/:id`. As it has types only, whoever makes a call needs none of its schemas. */
type Calls = { [C in Extract<ValueOf<Modules>, Call> as `${C['method']} ${C['url']}`]: C };

export type CallAddress = keyof Calls;
export type InputOf<Address extends CallAddress> = CallInput<Calls[Address]>;
export type OutputOf<Address extends CallAddress> = CallOutput<Calls[Address]>;

/** The method of an address, and its path below `/api` with the params in it. */
export function fillPath(address: CallAddress, params: Readonly<Record<string, unknown>>) {
  const [method, url] = address.split(' ') as [Call['method'], Call['url']];
  return [method, url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))] as const;
}
