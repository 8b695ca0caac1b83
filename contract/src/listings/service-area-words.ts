// Without schemas, which cards and public pages do not load.

export type ShownServiceArea = { base: string | null; serviceRadiusKm: number | null; serviceDistricts: readonly string[] };

// Districts named like their region, with a word that distinguishes them.
const getCity = (district: string) => district.replace(/ (?:City|District)$/, '');

/**
 * "Based in Cambridge · works within 30 km", "Serves Hamilton, Waipā"; empty if nothing is known. The page shows `district` above it, so a
 * base of the same name is left out.
 */
export function formatServiceArea({ base, serviceRadiusKm, serviceDistricts }: ShownServiceArea, district: string): string {
  const based = base === null || base === getCity(district) ? '' : `Based in ${base}`;
  const reach =
    serviceRadiusKm !== null
      ? `works within ${serviceRadiusKm} km`
      : serviceDistricts.length > 0
        ? `serves ${serviceDistricts.join(', ')}`
        : '';
  const text = [based, reach].filter(Boolean).join(' · ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
