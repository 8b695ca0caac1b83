import { type ReactNode, useEffect, useRef } from 'react';
import { readStored, resultsViewKey, writeStored } from '../../../lib/browser-storage.ts';
import styles from './map-beside.module.css';

type MapBesideProps = { filters: ReactNode; map: ReactNode; children: ReactNode };

/**
 * The list, and the map right of it; on narrower windows one of both, by a switch that needs no script and that the browser remembers. Above
 * both the filters.
 */
export function MapBeside({ filters, map, children }: MapBesideProps) {
  const asMap = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (asMap.current && readStored(resultsViewKey) === 'map') asMap.current.checked = true;
  }, []);
  return (
    <>
      <div className={styles.bar}>
        {filters}
        <fieldset className={styles.switch} onChange={() => writeStored(resultsViewKey, asMap.current?.checked ? 'map' : 'list')}>
          <legend className="visually-hidden">Show as</legend>
          <label>
            <input type="radio" name="view" value="list" defaultChecked />
            <span>List</span>
          </label>
          <label>
            <input ref={asMap} type="radio" name="view" value="map" />
            <span>Map</span>
          </label>
        </fieldset>
      </div>
      <div className={styles.split}>
        <div className={styles.list}>{children}</div>
        <div className={styles.map}>{map}</div>
      </div>
    </>
  );
}
