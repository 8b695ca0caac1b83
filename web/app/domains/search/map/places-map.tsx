import type { CountryCode } from '@handwise/contract/markets';
import { count, counted } from '@handwise/contract/numbers';
import { Link } from 'react-router';
import { frameOf, pinsOf, project } from './map-view.ts';
import outlines from './outlines.svg?url';
import styles from './places-map.module.css';

type MapPlace = {
  name: string;
  country: CountryCode;
  total: number;
  latitude: number;
  longitude: number;
  /** The same search, there only. */
  to: string;
};

type PlacesMapProps = {
  places: readonly MapPlace[];
  /** Show the whole of each country, not only where the places are. */
  isWhole: boolean;
  /** What is counted where, such as "Plumbing by region". */
  label: string;
};

/**
 * Places with their numbers of listings on a drawn map, each country on its own. Each place is a link, so that it works before any
 * script does; the drawing is a file of its own that no page waits for.
 */
export function PlacesMap({ places, isWhole, label }: PlacesMapProps) {
  const countries = [...new Set(places.map((place) => place.country))];
  if (countries.length === 0) return null;
  return (
    <nav className={styles.maps} aria-label={label}>
      {countries.map((country) => (
        <CountryMap key={country} places={places.filter((place) => place.country === country)} isWhole={isWhole} />
      ))}
    </nav>
  );
}

function CountryMap({ places, isWhole }: Pick<PlacesMapProps, 'places' | 'isWhole'>) {
  const frame = frameOf(places, isWhole);
  const { pins, others } = pinsOf(places, frame, count);
  return (
    <div>
      <div className={styles.map}>
        <svg viewBox={[frame.left, frame.top, frame.width, frame.height].map(Math.round).join(' ')} aria-hidden="true">
          <use href={`${outlines}#land`} className={styles.land} />
          <use href={`${outlines}#borders`} className={styles.borders} />
          {pins
            .filter((pin) => pin.isMoved)
            .map(({ place }) => {
              const { x, y } = project(place);
              return (
                <circle key={place.to} className={styles.spot} cx={x.toFixed(1)} cy={y.toFixed(1)} r={(frame.width / 90).toFixed(2)} />
              );
            })}
        </svg>
        <ul>
          {pins.map(({ place, left, top, nameTo }) => (
            <li key={place.to} style={{ left: `${left.toFixed(2)}%`, top: `${top.toFixed(2)}%` }}>
              <Link to={place.to} className={styles.pin}>
                <span className={styles.name} data-to={nameTo}>
                  {place.name}
                </span>
                <span className="visually-hidden">: {counted(place.total, 'listing')}</span>
                <span aria-hidden="true">{count(place.total)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
      {others.length > 0 && (
        <ul className={styles.others}>
          {others.map((place) => (
            <li key={place.to}>
              <Link to={place.to}>
                {place.name} ({count(place.total)})
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
