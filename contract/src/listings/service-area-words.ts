// Apart from the schemas, which cards and pages for everybody do not load.

export type ShownServiceArea = { base: string | null; serviceRadiusKm: number | null; serviceDistricts: readonly string[] };

// Whose name a city's district has, with a word that tells it from the region.
const cityOf = (district: string) => district.replace(/ (?:City|District)$/, '');

/**
 * "Based in Cambridge · works within 30 km", "Serves Hamilton, Waipā"; empty where nothing of it is known. `district` stands above it: a base of the
 * same name says nothing more.
 */
export function serviceAreaText({ base, serviceRadiusKm, serviceDistricts }: ShownServiceArea, district: string): string {
  const based = base === null || base === cityOf(district) ? '' : `Based in ${base}`;
  const reach =
    serviceRadiusKm !== null
      ? `works within ${serviceRadiusKm} km`
      : serviceDistricts.length > 0
        ? `serves ${serviceDistricts.join(', ')}`
        : '';
  const text = [based, reach].filter(Boolean).join(' · ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
