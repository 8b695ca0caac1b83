import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import * as L from 'leaflet';
import { PbfReader } from 'pbf';

// Servers offer vector tiles up to this zoom; the map enlarges them beyond.
const maxNativeZoom = 14;

type Paint = {
  /** The layer's names in the schemas of OpenMapTiles, Protomaps and Shortbread. */
  layers: readonly string[];
  /** The style sheet's colour. */
  color: string;
  /** Pixels; areas are filled instead. */
  line?: (zoom: number, feature: VectorTileFeature) => number;
};

const bigRoads = /motorway|trunk|primary|highway|major/;
const kindOf = ({ properties }: VectorTileFeature) => String(properties['class'] ?? properties['kind'] ?? properties['pmap:kind'] ?? '');
const widthOfRoad = (zoom: number, feature: VectorTileFeature) => (bigRoads.test(kindOf(feature)) ? 2.2 : zoom < 12 ? 0.6 : 1.2);

/** From the bottom up. */
const paints: readonly Paint[] = [
  { layers: ['earth', 'land'], color: '--ground' },
  { layers: ['landcover', 'landuse', 'park', 'parks', 'sites'], color: '--green' },
  { layers: ['water', 'ocean', 'water_polygons'], color: '--sea' },
  { layers: ['waterway', 'water_lines'], color: '--sea', line: () => 1.2 },
  { layers: ['transportation', 'roads', 'streets'], color: '--road', line: widthOfRoad },
  { layers: ['building', 'buildings'], color: '--building' },
];

/** Draws the outlines of a tile; all other layers, such as names, are left out. */
function paintTile(tile: VectorTile, context: CanvasRenderingContext2D, size: number, zoom: number, colorOf: (name: string) => string) {
  context.fillStyle = colorOf('--ground');
  context.fillRect(0, 0, size, size);
  for (const { layers, color, line } of paints)
    for (const name of layers) {
      const layer = tile.layers[name];
      if (!layer) continue;
      for (let index = 0; index < layer.length; index += 1) {
        const feature = layer.feature(index);
        // 2 are lines and 3 areas.
        if (feature.type !== (line ? 2 : 3)) continue;
        const scale = size / feature.extent;
        context.beginPath();
        for (const ring of feature.loadGeometry())
          ring.forEach(({ x, y }, at) => (at === 0 ? context.moveTo(x * scale, y * scale) : context.lineTo(x * scale, y * scale)));
        if (line) {
          context.strokeStyle = colorOf(color);
          context.lineWidth = line(zoom, feature);
          context.stroke();
        } else {
          context.fillStyle = colorOf(color);
          context.fill('evenodd');
        }
      }
    }
}

/** A layer of the operator's vector tiles, in the colours of the map. */
export function addVectorTiles(map: L.Map, tilesUrl: string, maxZoom: number) {
  const style = getComputedStyle(map.getContainer());
  const colorOf = (name: string) => style.getPropertyValue(name);
  const Tiles = L.GridLayer.extend({
    createTile(coords: L.Coords, done: L.DoneCallback) {
      const canvas = document.createElement('canvas');
      const { x: size } = (this as unknown as L.GridLayer).getTileSize();
      const ratio = Math.min(2, devicePixelRatio || 1);
      canvas.width = canvas.height = size * ratio;
      const context = canvas.getContext('2d');
      const draw = async () => {
        const answer = await fetch(L.Util.template(tilesUrl, { x: coords.x, y: coords.y, z: coords.z }));
        if (!answer.ok && answer.status !== 404) throw new Error(`The tile server answered ${answer.status}`);
        // Servers have no tile where there is nothing.
        const bytes = answer.ok ? await answer.arrayBuffer() : new ArrayBuffer(0);
        if (!context) return;
        context.scale(ratio, ratio);
        paintTile(new VectorTile(new PbfReader(bytes)), context, size, coords.z, colorOf);
      };
      const finish = async () => {
        const error = await draw().catch((failure: unknown) => (failure instanceof Error ? failure : new Error(String(failure))));
        done(error ?? undefined, canvas);
      };
      void finish();
      return canvas;
    },
  }) as new (options: L.GridLayerOptions) => L.GridLayer;
  new Tiles({ maxZoom, maxNativeZoom }).addTo(map);
}
