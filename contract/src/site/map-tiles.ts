/** Whether tiles at an address such as https://tiles.example/{z}/{x}/{y}.pbf are vector tiles, by their ending; otherwise they are pictures. */
export const isVectorTiles = (url: string): boolean => /\.(?:pbf|mvt)$/.test(url.split(/[?#]/, 1)[0] ?? '');
