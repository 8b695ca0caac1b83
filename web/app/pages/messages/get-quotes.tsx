import { findCategory } from '@handwise/contract/listings/categories';
import { maxQuoteRequestReceivers } from '@handwise/contract/messages/limits';
import { inWords } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { hasSendParameter } from '../../domains/messages/quote-requests/form/quote-request-draft.ts';
import { RequestQuotes, type QuoteRequestStart } from '../../domains/messages/quote-requests/form/request-quotes.tsx';
import type { Suggest } from '../../domains/messages/quote-requests/form/suggested-businesses.tsx';
import { likelyCountry } from '../../domains/search/bar/likely-country.ts';
import { suggestPros, understandJob } from '../../domains/search/quote-requests/quote-request-queries.ts';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { useRootData } from '../../lib/root-data.ts';
import type { Understand } from '../../lib/use-understood.ts';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/get-quotes';
import styles from './get-quotes.module.css';
import { Combobox } from '../../domains/search/bar/combobox.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Get quotes',
    description: `Describe the job once and ask up to ${inWords(maxQuoteRequestReceivers)} home and trade businesses near you for a quote. Free, without a middleman.`,
    path: paths.getQuotes,
  });

/** The URL's parameters with the listing that they name. A missing listing does not prevent a request. */
async function getStart(search: URLSearchParams, signal: AbortSignal): Promise<QuoteRequestStart> {
  const id = search.get('listing');
  const listing = id
    ? await call('GET /listing/:id', { params: { id } }, signal).catch((error: unknown) => {
        if (error instanceof ApiError && [400, 404, 410].includes(error.status)) return null;
        throw error;
      })
    : null;
  const category = findCategory(listing?.serviceCategory ?? search.get('category') ?? '');
  const subCategory = listing ? listing.serviceSubCategory : search.get('subCategory');
  const place = search.get('place');
  return {
    ...(category && { category: category.name, subCategory: subCategory ?? '' }),
    ...(place && { place }),
    ...(listing?.status === 'active' && { listing: { listingId: listing._id, name: listing.businessTitle, title: listing.serviceTitle } }),
    sends: hasSendParameter(search.toString()),
  };
}

export default function GetQuotesPage() {
  const [search] = useSearchParams();
  const query = search.toString();
  const [start, setStart] = useState<QuoteRequestStart | null>(null);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  const { market } = useRootData();
  const understand = useCallback<Understand>((job, signal) => understandJob(job, signal, market ? null : likelyCountry()), [market]);
  const suggest = useCallback<Suggest>((job, signal) => suggestPros(job, signal, market ? null : likelyCountry()), [market]);
  // The browser fills in the URL's parameters, because the page is the same for everyone.
  useEffect(() => {
    const reading = new AbortController();
    if (failure) return undefined;
    getStart(new URLSearchParams(query), reading.signal).then(
      (read) => reading.signal.aborted || setStart(read),
      (error: unknown) => reading.signal.aborted || setFailure({ error }),
    );
    return () => reading.abort();
  }, [query, failure]);
  return (
    <Container>
      <div className={styles.page}>
        <h1 className={styles.heading}>Get quotes</h1>
        <p className={styles.intro}>
          Describe the job once. Up to {inWords(maxQuoteRequestReceivers)} businesses get it as a message and answer you direct. It costs
          nothing, and none of them sees who else you ask.
        </p>
        <noscript>
          <p className={styles.needsScript}>This form needs JavaScript. Please switch it on in your browser and load the page again.</p>
        </noscript>
        <div className={`card ${styles.card}`}>
          {failure ? (
            <ErrorDisplay error={failure.error} onRetry={() => setFailure(null)} />
          ) : (
            <RequestQuotes start={start} placeField={(field) => <PlaceField {...field} />} understand={understand} suggest={suggest} />
          )}
        </div>
      </div>
    </Container>
  );
}

type PlaceFieldProps = { id: string; name: string; text: string; error: string | undefined; onText: (text: string) => void };

/** A form field for a place, with suggestions. */
const PlaceField = ({ id, name, text, error, onText }: PlaceFieldProps) => (
  <div className={styles.field} data-invalid={error ? '' : undefined}>
    <label className={styles.label} htmlFor={id}>
      Where is the job?
    </label>
    <Combobox
      id={id}
      className={styles.input}
      name={name}
      box="where"
      text={text}
      placeholder="Suburb or town"
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
      onText={onText}
    />
    {error && (
      <p className={styles.error} id={`${id}-error`}>
        <span className="visually-hidden">Error: </span>
        {error}
      </p>
    )}
  </div>
);
