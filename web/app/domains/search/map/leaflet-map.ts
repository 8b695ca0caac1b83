import { paths } from '@handwise/contract/paths';
import type { MapPin } from '@handwise/contract/search/places';
import { isVectorTiles } from '@handwise/contract/site/map-tiles';
import * as L from 'leaflet';
import leafletStyles from 'leaflet/dist/leaflet.css?url';
import Supercluster from 'supercluster';
import { call } from '../../../lib/api.ts';
import { type Label, LabelSpace, getLabelSide, getWidth } from './map-labels.ts';
import { cellsFromZoom, listCellsWithin, loadLand, type PlaceLabel, unpackRing } from './map-land.ts';
import { chooseShift, getArea, getBounds, getBoundsWithSurroundings } from './map-area.ts';
import { getPinValue } from './pin-value.ts';
import styles from './listings-map.module.css';

const leastZoom = 3;
const closest = { land: 13, tiles: 18 };
// The first view zooms in no further, so that it shows the surroundings.
const firstZoom = 12;
const mostPlaceLabels = 40;
// A town's name is above or below listings at its centre.
const placeShifts = [0, 30, -30];
// Pixels: far enough apart for touch to hit one of two markers.
const clusterRadius = 88;
// Pixels: the touch target of a marker, whatever its drawn size.
const thumb = 44;
const namesPane = 'names';
// A view of more cells shows whole regions.
const mostCells = 6;
const both: L.LatLngBoundsExpression = [
  [-47.5, 112],
  [-10, 179],
];

type PinListing = MapPin['listings'][number];
type Tiles = { tilesUrl: string; attribution: string } | null;
/** A cluster adds up the listings of its pins. */
type Sum = { total: number };
type Index = Supercluster<MapPin, Sum>;
type Group = ReturnType<Index['getClusters']>[number];

const ownAttribution = '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>';
// Longitudes beyond 180° continue to the east.
const eastward = (longitude: number) => (longitude < 0 ? longitude + 360 : longitude);

let styled: Promise<void> | undefined;
/** Loads the library's styles with the first map, because other pages do not need them. */
const loadStyles = () =>
  (styled ??= new Promise((done) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = leafletStyles;
    link.addEventListener('load', () => done());
    link.addEventListener('error', () => done());
    document.head.append(link);
  }));

type Handlers = {
  /** Called when the reader moves the map, with the visible area in the format of a search. */
  onMove: (area: { near: string; km: string } | null) => void;
  /** Called when a link of the map is followed. */
  onFollow: (path: string) => void;
};

const element = (tag: string, className: string | undefined, text = '') => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
};

/** A map of listings in an element: the coast or the operator's street tiles, pins with the businesses' names, and clusters of them. */
export async function openMap(frame: HTMLElement, { onMove, onFollow }: Handlers) {
  const [{ map: tiles }] = await Promise.all([call('GET /config', {}), loadStyles()]);
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = L.map(frame, {
    minZoom: leastZoom,
    maxZoom: tiles ? closest.tiles : closest.land,
    maxBounds: [
      [-60, 95],
      [5, 195],
    ],
    attributionControl: false,
    // The page has buttons of its own.
    zoomControl: false,
    zoomAnimation: !isStill,
    fadeAnimation: !isStill,
    markerZoomAnimation: !isStill,
    inertia: !isStill,
    // Scrolling over the map scrolls the page.
    scrollWheelZoom: false,
    renderer: L.svg({ padding: 0.5 }),
  });
  map.on('focus', () => map.scrollWheelZoom.enable());
  map.on('blur', () => map.scrollWheelZoom.disable());
  L.control
    .attribution({ prefix: false })
    .addAttribution(tiles?.attribution ?? ownAttribution)
    .addTo(map);
  L.control.scale({ imperial: false, maxWidth: 120, position: 'bottomleft' }).addTo(map);
  const ground = await openGround(map, tiles);
  const pins = L.layerGroup().addTo(map);
  let index: Index = new Supercluster<MapPin, Sum>().load([]);

  let isOwnMove = false;
  const move = (change: () => void) => {
    isOwnMove = true;
    change();
    isOwnMove = false;
  };
  const draw = () => {
    const space = new LabelSpace();
    pins.clearLayers();
    const view = map.getBounds().pad(0.1);
    const groups = index.getClusters([view.getWest(), view.getSouth(), view.getEast(), view.getNorth()], map.getZoom());
    for (const marker of getMarkers(map, index, groups, space, onFollow)) marker.addTo(pins);
    ground.draw(space);
  };
  map.on('moveend', () => {
    draw();
    if (!isOwnMove) onMove(getArea(map.getBounds()));
  });
  move(() => map.fitBounds(both, { animate: false }));
  const resized = new ResizeObserver(() => move(() => map.invalidateSize({ animate: false })));
  resized.observe(frame);

  let latestFrame = 0;
  const margin = 48;
  /** Moves the view to the listings, and once the places around them are known, to land rather than sea. */
  const frameListings = (list: readonly MapPin[]) => {
    const points = list.map(({ latitude, longitude }): [number, number] => [latitude, eastward(longitude)]);
    const fit = (bounds: L.LatLngBoundsExpression) =>
      map.fitBounds(bounds, { padding: [margin, margin], maxZoom: firstZoom, animate: false });
    const turn = (latestFrame += 1);
    const bounds = getBounds(points);
    if (!bounds) return;
    move(() => fit(bounds));
    const shown = map.getBounds();
    const reframe = async () => {
      const places = await listPlacesAround(L.latLngBounds(bounds).pad(0.5).extend(shown));
      const wider = getBoundsWithSurroundings(points, places);
      // The reader, or another search, has moved the view meanwhile.
      if (!wider || turn !== latestFrame || !map.getBounds().equals(shown)) return;
      move(() => {
        fit(wider);
        const [min, max] = [map.latLngToContainerPoint([wider[1][0], wider[0][1]]), map.latLngToContainerPoint([wider[0][0], wider[1][1]])];
        const shift = chooseShift(
          places.map((place) => map.latLngToContainerPoint(place)),
          map.getSize(),
          { min, max },
          margin,
        );
        map.panBy([shift.x, shift.y], { animate: false });
      });
    };
    // Without the places, the view of the listings stays.
    reframe().catch(() => undefined);
  };

  return {
    /** Shows the listings of another search, and moves the view to them unless `keepView`. */
    show(list: readonly MapPin[], keepView: boolean) {
      index = new Supercluster<MapPin, Sum>({
        radius: clusterRadius,
        maxZoom: map.getMaxZoom(),
        map: ({ total }) => ({ total }),
        reduce: (sum, { total }) => {
          sum.total += total;
        },
      }).load(
        list.map((pin) => ({
          type: 'Feature',
          properties: pin,
          geometry: { type: 'Point', coordinates: [pin.longitude, pin.latitude] },
        })),
      );
      if (!keepView) frameListings(list);
      draw();
    },
    zoomIn: () => void map.zoomIn(),
    zoomOut: () => void map.zoomOut(),
    close() {
      resized.disconnect();
      map.remove();
    },
  };
}
export type OpenMap = Awaited<ReturnType<typeof openMap>>;

/** The positions of all named places in the cells of an area. */
async function listPlacesAround(area: L.LatLngBounds): Promise<[number, number][]> {
  const cells = listCellsWithin({ west: area.getWest(), south: area.getSouth(), east: area.getEast(), north: area.getNorth() });
  if (cells.length > mostCells) return [];
  const files = await Promise.all(cells.map(loadLand));
  return files.flatMap(({ places }) => places.map(([, latitude, longitude]): [number, number] => [latitude, longitude]));
}

type Ground = { draw: (space: LabelSpace) => void };

/** The operator's tiles, else our own coast. Pictures have their own names; vector tiles get ours, which no tile's edge cuts. */
async function openGround(map: L.Map, tiles: Tiles): Promise<Ground> {
  if (!tiles) return landGround(map, true);
  if (!isVectorTiles(tiles.tilesUrl)) {
    L.tileLayer(tiles.tilesUrl, { maxZoom: closest.tiles }).addTo(map);
    return { draw: () => undefined };
  }
  const { addVectorTiles } = await import('./vector-tiles.ts');
  addVectorTiles(map, tiles.tilesUrl, closest.tiles);
  return landGround(map, false);
}

/** The names of places, and the coast unless tiles show it, from our own files. */
function landGround(map: L.Map, hasCoast: boolean): Ground {
  const shapes = new Map<string, L.Polygon>();
  // A pane of their own, between the land and the pins.
  map.createPane(namesPane).style.zIndex = '450';
  const names = L.layerGroup().addTo(map);
  let latest = 0;
  const draw = async (space: LabelSpace) => {
    const turn = (latest += 1);
    const zoom = map.getZoom();
    const view = map.getBounds().pad(0.5);
    const needed =
      zoom < cellsFromZoom
        ? ['overview']
        : listCellsWithin({ west: view.getWest(), south: view.getSouth(), east: view.getEast(), north: view.getNorth() });
    const files = await Promise.all(needed.map(async (name) => ({ name, ...(await loadLand(name)) })));
    // A later view has replaced this one.
    if (turn !== latest) return;
    for (const { name, land } of files) {
      if (!hasCoast || land.length === 0 || shapes.has(name)) continue;
      const rings = land.map((ring) => [unpackRing(ring)]);
      shapes.set(
        name,
        L.polygon(rings, { stroke: false, fillOpacity: 1, interactive: false, className: styles.land ?? '', smoothFactor: 0.5 }),
      );
    }
    for (const [name, shape] of shapes) {
      if (needed.includes(name)) shape.addTo(map);
      else shape.remove();
    }
    const seen = map.getBounds();
    const labels = files
      .flatMap(({ places }) => places)
      .filter(([, latitude, longitude, from]) => from <= zoom && seen.contains([latitude, longitude]))
      .toSorted((a, b) => a[3] - b[3])
      .map((place): Label<PlaceLabel> => {
        const { x, y } = map.latLngToContainerPoint([place[1], place[2]]);
        return { item: place, text: place[0], x, y, side: 'middle' };
      });
    names.clearLayers();
    for (const { item, shift } of space.place(labels, { most: mostPlaceLabels, shifts: placeShifts })) {
      const [name, latitude, longitude, from] = item;
      const html = element('span', from <= 6 ? styles.city : styles.place, name);
      html.dataset.kind = getPlaceKind(name);
      const icon = L.divIcon({ html, className: styles.label ?? '', iconSize: [0, 0], iconAnchor: [0, -shift] });
      L.marker([latitude, longitude], { icon, interactive: false, keyboard: false, pane: namesPane }).addTo(names);
    }
  };
  return { draw: (space) => void draw(space).catch(() => undefined) };
}

const kindsOfPlaces: readonly (readonly [RegExp, string])[] = [
  [/ (?:Bay|Harbour|Beach|Cove|Inlet|Sound|Lagoon|Lake)$|^Lake /, 'water'],
  [/ (?:Park|Reserve|Forest|Gardens|Domain|Bush)$/, 'park'],
];
/** Whether a place is named for water or green, which its label shows by colour. */
const getPlaceKind = (name: string) => kindsOfPlaces.find(([words]) => words.test(name))?.[1] ?? '';

/** The markers in view: a number for listings close together, else a pin with the business's name if there is room. */
function getMarkers(map: L.Map, index: Index, groups: readonly Group[], space: LabelSpace, onFollow: Handlers['onFollow']) {
  const marks = groups.map((group) => {
    const [longitude = 0, latitude = 0] = group.geometry.coordinates;
    const at = L.latLng(latitude, eastward(longitude));
    const { x, y } = map.latLngToContainerPoint(at);
    const id = 'cluster' in group.properties ? group.properties.cluster_id : null;
    const zoom = id === null ? 0 : index.getClusterExpansionZoom(id);
    const isSpot = id === null || zoom > map.getMaxZoom();
    const places = id === null ? [group.properties as MapPin] : isSpot ? index.getLeaves(id, Infinity).map((leaf) => leaf.properties) : [];
    const leaves = places.flatMap(({ listings }) => listings);
    const { total } = group.properties;
    const value = getPinValue(leaves);
    const half = !isSpot ? 20 : value ? getWidth(value) / 2 + 5 : 9;
    space.takeMark(x, y, half, isSpot ? 12 : 20);
    const [first] = leaves;
    const text = first ? getName(first, total) : '';
    const gap = half + 3;
    const side = getLabelSide(text, x, map.getSize().x, gap);
    return { at, x, y, zoom, isSpot, leaves, total, value, text, side, gap };
  });
  const labels = marks.filter(({ isSpot }) => isSpot).map((mark): Label<typeof mark> => ({ ...mark, item: mark }));
  const named = new Set(space.place(labels).map(({ item }) => item));
  return marks.map((mark) => {
    const { at, isSpot, text, total, leaves, zoom, side, value, gap } = mark;
    const html = element('button', styles.press) as HTMLButtonElement;
    html.type = 'button';
    const shape = element('span', !isSpot ? styles.cluster : value ? styles.value : styles.spot, isSpot ? value : String(total));
    const label = isSpot
      ? element('span', named.has(mark) ? styles.name : styles.hiddenName, text)
      : element('span', 'visually-hidden', ' listings, zoom in');
    label.dataset.side = side;
    label.style.setProperty('--gap', `${gap}px`);
    shape.append(label);
    html.append(shape);
    const icon = L.divIcon({ html, className: styles.mark ?? '', iconSize: [thumb, thumb] });
    const marker = L.marker(at, { icon, riseOnHover: true, keyboard: false });
    const press = () => {
      // Opened on the map instead of the marker, so that it survives a redraw of the pins.
      if (isSpot) map.openPopup(getPopup(leaves, total, onFollow), at, { maxWidth: 260, autoPanPadding: [16, 16] });
      else map.setView(at, zoom);
    };
    marker.on('click', press);
    return marker;
  });
}

const longestName = 20;

/** "Aroha Plumbing", "Aroha Plumbing +2" */
function getName({ businessTitle }: PinListing, total: number) {
  const name = businessTitle.length > longestName ? `${businessTitle.slice(0, longestName - 1).trimEnd()}…` : businessTitle;
  return total > 1 ? `${name} +${total - 1}` : name;
}

/** The listings of one place, each a link. */
function getPopup(pins: readonly PinListing[], total: number, onFollow: Handlers['onFollow']) {
  const list = element('ul', styles.popup);
  for (const { _id, businessTitle, serviceTitle } of pins) {
    const item = element('li', undefined);
    const link = element('a', undefined, businessTitle) as HTMLAnchorElement;
    link.href = paths.listing(_id);
    link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      onFollow(paths.listing(_id));
    });
    item.append(link, element('span', undefined, serviceTitle));
    list.append(item);
  }
  if (total > pins.length) list.append(element('li', undefined, `and ${total - pins.length} more`));
  return list;
}
