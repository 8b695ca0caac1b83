import '@fontsource-variable/figtree/wght.css';
import './ui/tokens.css';
import './ui/base.css';
import { formatAccentStyle } from '@handwise/contract/site/accent';
import { formatLogoStyle } from '@handwise/contract/site/logo';
import { isTradeShown } from '@handwise/contract/site/open';
import { formatOperator } from '@handwise/contract/site/operator';
import { formatShownSite } from '@handwise/contract/site/shown';
import { site } from '@handwise/contract/site/site';
import { paths } from '@handwise/contract/paths';
import fontUrl from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';
import { categories } from '@handwise/contract/listings/categories';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation, useRouteLoaderData } from 'react-router';
import type { Route } from './+types/root';
import { usePendingAlert } from './domains/search/alerts/pending-alert.ts';
import { usePendingSave } from './domains/saved/pending-save.ts';
import { VisitorSearch } from './domains/search/bar/search-form.tsx';
import { SiteHeader } from './domains/site/site-header.tsx';
import { headScript, useLoadingLine } from './lib/document/head-script.ts';
import { followColorScheme } from './lib/document/color-scheme.ts';
import { markStarted } from './lib/document/start.ts';
import { latePart, memberPart } from './lib/late-part.tsx';
import { serverContext } from './lib/server-context.ts';
import { useSession } from './lib/session/session.ts';
import { ErrorPage } from './pages/site/error-page.tsx';
import { OfflineBar } from './ui/page/offline-bar.tsx';
import { DocumentBoundary, PageBoundary } from './ui/page/boundaries.tsx';
import { Toaster } from './ui/feedback/toast.tsx';
import { isPaymentPage } from '@handwise/contract/payments/pages';

// After a deployment an open page may request a deleted file; it then continues without that part.
const without = () => () => null;
const HeaderSearch = memberPart(() => import('./domains/search/header-search.tsx').then(({ HeaderSearch }) => HeaderSearch, without));
const MessagesLink = memberPart(() => import('./domains/messages/messages-link.tsx').then(({ MessagesLink }) => MessagesLink, without));
const ReferralBadge = memberPart(() =>
  import('./domains/referrals/notifications/referral-badge.tsx').then(({ ReferralBadge }) => ReferralBadge, without),
);

const SiteFooter = latePart(async () => (await import('./domains/site/site-footer.tsx')).SiteFooter);

const LookBanner = lazy(async () => ({ default: (await import('./domains/admin/look-banner.tsx')).LookBanner }));

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: fontUrl, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
];

export function loader({ context }: Route.LoaderArgs) {
  const { origin, market, sandbox, realPayments, relayed, signInWith } = context.get(serverContext);
  return {
    origin,
    market,
    sandbox,
    realPayments,
    relayed,
    signInWith,
    operator: formatOperator(),
    // Made here, because what the loader imports is no part of the page's scripts.
    style: formatAccentStyle(site.accent) + formatLogoStyle(),
    // Sent by the server, because the browser's year could differ from the HTML's on New Year's Eve.
    year: new Date().getFullYear(),
    // Sent with the page, so that the footer does not load the contract's schemas.
    categories: categories.filter(({ slug }) => isTradeShown(slug)).map(({ name, slug, mainCategory }) => ({ name, slug, mainCategory })),
  };
}

// The data is the same for everyone and for the whole visit.
export const shouldRevalidate = () => false;

/** Moves the focus to the content of a new page, because the pressed link is gone. A header field that is being typed into keeps it. */
function useFocusOnNewPage(pathname: string) {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const content = document.getElementById('content');
    const active = document.activeElement;
    if (active instanceof HTMLInputElement && !content?.contains(active)) return;
    content?.focus({ preventScroll: true });
  }, [pathname]);
}

const none = [] as const;
const wizard = new Set<string>([paths.addListing, paths.addListingAlias]);

// Outside everything that the page consists of, so that the router's own error page is never seen.
export const Layout = ({ children }: { children: ReactNode }) => (
  <DocumentBoundary>
    <PageDocument>{children}</PageDocument>
  </DocumentBoundary>
);

function PageDocument({ children }: { children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>('root');
  const { user } = useSession();
  const { pathname, search, key } = useLocation();
  useFocusOnNewPage(pathname);
  useLoadingLine();
  usePaymentDocument(pathname, data?.realPayments ?? false);
  useEffect(markStarted, []);
  useEffect(registerServiceWorker, []);
  useEffect(followColorScheme, []);
  usePendingSave();
  usePendingAlert();
  return (
    // The head script changes this element before React hydrates it.
    <html
      lang={data?.market === 'AU' ? 'en-AU' : 'en-NZ'}
      data-mantine-color-scheme="light"
      {...(import.meta.env.SSR && { 'data-site': formatShownSite() })}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf7" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0e1a1c" />
        {/* The script has run before hydration, which leaves it unchanged. */}
        <script dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? headScript : '' }} suppressHydrationWarning />
        <Meta />
        <Links />
        {import.meta.env.SSR && data?.style && <style dangerouslySetInnerHTML={{ __html: data.style }} />}
      </head>
      <body>
        <a className="skip-link" href="#content">
          Skip to content
        </a>
        <p className="start-failed" role="alert">
          This page could not start fully: only links work. <a href={pathname + search}>Load it again</a>
        </p>
        <OfflineBar />
        <SiteHeader
          search={
            user ? (
              pathname !== paths.landing && (
                <Suspense fallback={null}>
                  <HeaderSearch />
                </Suspense>
              )
            ) : (
              <VisitorSearch />
            )
          }
          messages={
            user && (
              <Suspense fallback={null}>
                <MessagesLink />
              </Suspense>
            )
          }
          news={
            user && (
              <Suspense fallback={null}>
                <ReferralBadge />
              </Suspense>
            )
          }
        />
        <main id="content" tabIndex={-1}>
          <PageBoundary location={key} page={(error) => <ErrorPage error={error} />}>
            {children}
          </PageBoundary>
        </main>
        {user?.look && (
          <Suspense fallback={null}>
            <LookBanner user={user} endsAt={user.look.endsAt} />
          </Suspense>
        )}
        <SiteFooter
          origin={data?.origin ?? ''}
          categories={data?.categories ?? none}
          year={data?.year}
          operator={data?.operator}
          slim={wizard.has(pathname)}
        />
        <Toaster />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => <ErrorPage error={error} />;

/** Registers the worker once the page is interactive and has loaded. */
function registerServiceWorker() {
  if (!import.meta.env.PROD) return;
  // Browsers have it only on https and localhost.
  const register = () => void navigator.serviceWorker?.register('/service-worker.js').catch(() => {});
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}

/**
 * A document's security policy is fixed when it loads, and only payment pages allow the provider's script. So with real keys a link to a
 * payment page loads a new document; typed values survive in the browser's storage.
 */
function usePaymentDocument(pathname: string, realPayments: boolean) {
  const loaded = useRef(pathname);
  useEffect(() => {
    if (realPayments && isPaymentPage(pathname) && !isPaymentPage(loaded.current)) location.reload();
  }, [pathname, realPayments]);
}
