import type { ReactNode } from 'react';
import { PlacesMap } from '../map/places-map.tsx';
import type { FindData } from './find-data.server.ts';
import styles from './map-beside.module.css';

type MapBesideProps = { map: FindData['map']; label: string; children: ReactNode };

/** The list, and right of it where it is; on narrower windows one of both, by a switch that needs no script. */
export const MapBeside = ({ map, label, children }: MapBesideProps) =>
  map === null ? (
    children
  ) : (
    <>
      <fieldset className={styles.switch}>
        <legend className="visually-hidden">Show as</legend>
        <label>
          <input type="radio" name="view" value="list" defaultChecked className="visually-hidden" />
          <span>List</span>
        </label>
        <label>
          <input type="radio" name="view" value="map" className="visually-hidden" />
          <span>Map</span>
        </label>
      </fieldset>
      <div className={styles.split}>
        <div className={styles.list}>{children}</div>
        <div className={styles.map}>
          <PlacesMap {...map} label={`${label} on the map`} />
        </div>
      </div>
    </>
  );
