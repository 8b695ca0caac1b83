import type { InputOf } from '@handwise/contract/calls';
import { count } from '@handwise/contract/numbers';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../../../lib/api.ts';
import styles from './listings-map.module.css';
import type { OpenMap } from './leaflet-map.ts';

type ListingsMapProps = {
  /** The parameters of the search. */
  search: Readonly<Record<string, string | undefined>>;
  /** The title, such as "Plumbing in Otago". */
  label: string;
  /** The URL of the same search in another area. */
  areaAddress: (area: { near: string; km: string }) => string;
};

type Area = { near: string; km: string };
const maxPins = 1000;
const failed = 'The map could not be loaded. The list has everything that it shows.';

/**
 * The listings of a search on a map. Its script and pins load once it is visible, so that no page waits for them; the list has the same
 * content.
 */
export function ListingsMap(props: ListingsMapProps) {
  const [tries, setTries] = useState(0);
  return <LoadedMap key={tries} {...props} onRetry={() => setTries(tries + 1)} />;
}

function LoadedMap({ search, label, areaAddress, onRetry }: ListingsMapProps & { onRetry: () => void }) {
  const navigate = useNavigate();
  const frame = useRef<HTMLDivElement>(null);
  const navigated = useRef(navigate);
  const keepView = useRef(false);
  const [map, setMap] = useState<OpenMap | null>(null);
  const [area, setArea] = useState<Area | null>(null);
  const [notice, setNotice] = useState('');
  const [hasFailed, setFailed] = useState(false);
  const query = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => (value && name !== 'page' ? [[name, value]] : [])),
  ).toString();
  useEffect(() => {
    navigated.current = navigate;
  }, [navigate]);

  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    let open: OpenMap | undefined;
    let isGone = false;
    const load = async () => {
      setNotice('Loading the map…');
      const { openMap } = await import('./leaflet-map.ts');
      const opened = await openMap(element, { onMove: setArea, onFollow: (path) => void navigated.current(path) });
      if (isGone) return opened.close();
      open = opened;
      setMap(opened);
    };
    const seen = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      seen.disconnect();
      load().catch(() => setFailed(true));
    });
    seen.observe(element);
    return () => {
      isGone = true;
      seen.disconnect();
      open?.close();
    };
  }, []);

  useEffect(() => {
    if (!map) return undefined;
    const asking = new AbortController();
    const keepsView = keepView.current;
    keepView.current = false;
    const load = async () => {
      const input = Object.fromEntries(new URLSearchParams(query)) as InputOf<'GET /search/places'>['query'];
      const found = await call('GET /search/places', { query: input }, asking.signal);
      setFailed(false);
      map.show(found.pins, keepsView);
      setArea(null);
      setNotice(found.isComplete ? '' : `The map shows the first ${count(maxPins)} listings.`);
    };
    load().catch(() => {
      if (asking.signal.aborted) return;
      // The pins of the search before would be wrong.
      map.show([], true);
      setFailed(true);
    });
    return () => asking.abort();
  }, [map, query]);

  return (
    <section className={styles.map} aria-label={`Map: ${label}`}>
      <div ref={frame} className={styles.frame} />
      {map && (
        <div className={styles.zoom}>
          <button type="button" aria-label="Zoom in" onClick={map.zoomIn}>
            +
          </button>
          <button type="button" aria-label="Zoom out" onClick={map.zoomOut}>
            −
          </button>
        </div>
      )}
      {hasFailed && (
        <button type="button" className={styles.area} onClick={onRetry}>
          Load the map again
        </button>
      )}
      {area && !hasFailed && (
        <button
          type="button"
          className={styles.area}
          onClick={() => {
            keepView.current = true;
            setArea(null);
            void navigate(areaAddress(area), { preventScrollReset: true });
          }}
        >
          Search this area
        </button>
      )}
      <p className={styles.notice} role="status">
        {hasFailed ? failed : notice}
      </p>
    </section>
  );
}
