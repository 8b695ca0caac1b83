import { Component, type ReactNode } from 'react';
import { isStarted } from '../../lib/document/start.ts';

type Failure = { error: unknown } | null;

type PageBoundaryProps = {
  children: ReactNode;
  /** What to show instead of a page that could not be rendered. */
  page: (error: unknown) => ReactNode;
  /** The key of the location: the next page is tried again. */
  location: string;
};

/** Shows an error page within the layout. While the page starts, the document's boundary decides. */
export class PageBoundary extends Component<PageBoundaryProps, { failure: Failure; location: string }> {
  override state = { failure: null as Failure, location: this.props.location };

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ location }: PageBoundaryProps, state: { location: string }) {
    return location === state.location ? null : { failure: null, location };
  }

  override render() {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    if (!isStarted()) throw failure.error;
    return this.props.page(failure.error);
  }
}

/**
 * Remembers the document as it is shown, for `give` to put back after React has emptied it: React renders before it changes anything, so during the
 * start it is still the server's. The elements themselves are kept, because they hold what has been typed and chosen.
 */
function keepDocument() {
  const root = document.documentElement;
  const kept = [root, document.head, document.body].map((element) => [element, [...element.attributes], [...element.childNodes]] as const);
  const focused = document.activeElement;
  const opened = root.querySelector<HTMLElement>(':popover-open');
  return function give() {
    for (const [element, attributes, children] of kept) {
      for (const attribute of attributes) element.setAttributeNode(attribute);
      element.append(...children.filter((child) => !child.isConnected));
    }
    opened?.showPopover();
    if (focused instanceof HTMLElement) focused.focus();
  };
}

/**
 * Around the whole document. If the page cannot start, the server's page stays and works without scripts; if its frame fails later, a plain page says so.
 */
export class DocumentBoundary extends Component<{ children: ReactNode }, { failed: boolean; give: (() => void) | null }> {
  override state = { failed: false, give: null as (() => void) | null };

  static getDerivedStateFromError() {
    return { failed: true, give: isStarted() ? null : keepDocument() };
  }

  override componentDidCatch() {
    if (isStarted()) return;
    this.state.give?.();
    window.startFailed?.();
  }

  override render() {
    const { failed, give } = this.state;
    if (!failed) return this.props.children;
    return give ? null : <PlainDocument />;
  }
}

/** Uses nothing that could have failed: no router, no session, no parts of the page. */
const PlainDocument = () => (
  <html lang="en">
    <head>
      <title>Something went wrong</title>
      {[...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].map(({ href }) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
    </head>
    <body>
      <main className="loading-view">
        <h1>Something went wrong</h1>
        <a href={location.href}>Load the page again</a>
      </main>
    </body>
  </html>
);
