// Apart from the schemas, which cards and pages for everybody do not load.

export type ShownServiceArea = { base: string | null; serviceRadiusKm: number | null; serviceDistricts: readonly string[] };

/** "Based in Cambridge · works within 30 km", "Serves Hamilton, Waipā"; empty where nothing of it is known. */
export function serviceAreaText({ base, serviceRadiusKm, serviceDistricts }: ShownServiceArea): string {
  const based = base === null ? '' : `Based in ${base}`;
  const reach =
    serviceRadiusKm !== null
      ? `works within ${serviceRadiusKm} km`
      : serviceDistricts.length > 0
        ? `serves ${serviceDistricts.join(', ')}`
        : '';
  const text = [based, reach].filter(Boolean).join(' · ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
