import { Component, createElement, type ReactNode } from 'react';
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

type Shown = { attributes: Record<string, string>; html: string };

/** The document as it is shown: React renders before it changes anything, so during the start it is still the server's. */
function readDocument(): Shown {
  const { attributes, innerHTML } = document.documentElement;
  return { attributes: Object.fromEntries([...attributes].map(({ name, value }) => [name, value])), html: innerHTML };
}

/**
 * Around the whole document. If the page cannot start, the server's page stays and works without scripts; if its frame fails later, a plain page says so.
 */
export class DocumentBoundary extends Component<{ children: ReactNode }, { failed: boolean; shown: Shown | null }> {
  override state = { failed: false, shown: null as Shown | null };

  static getDerivedStateFromError() {
    return { failed: true, shown: isStarted() ? null : readDocument() };
  }

  override componentDidCatch() {
    if (!isStarted()) window.startFailed?.();
  }

  override render() {
    const { failed, shown } = this.state;
    if (!failed) return this.props.children;
    if (!shown) return <PlainDocument />;
    const { class: className, ...attributes } = shown.attributes;
    return createElement('html', { ...attributes, className, dangerouslySetInnerHTML: { __html: shown.html } });
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
