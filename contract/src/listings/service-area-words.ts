// Without schemas, which cards and public pages do not load.

export type ShownServiceArea = { base: string | null; serviceRadiusKm: number | null; serviceDistricts: readonly string[] };

/** Choices of the forms; calls accept any whole number in this range. */
export const offeredRadii = [5, 10, 15, 20, 30, 50, 75, 100, 150, 200] as const;
export const maxServiceDistricts = 20;

/** Fields of the browser's forms: `reach` is a number of kilometres, "districts" or empty. */
export type ServiceAreaForm = { base: string; reach: string; serviceDistricts: string[] };
export const noServiceArea: ServiceAreaForm = { base: '', reach: '', serviceDistricts: [] };

export const isDistance = (reach: string) => reach !== '' && reach !== 'districts';

// Districts named like their region, with a word that distinguishes them.
const cityOf = (district: string) => district.replace(/ (?:City|District)$/, '');

/**
 * "Based in Cambridge · works within 30 km", "Serves Hamilton, Waipā"; empty if nothing is known. The page shows `district` above it, so a
 * base of the same name is left out.
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

/** Converts a form for the calls. */
export const serviceAreaInput = ({ base, reach, serviceDistricts }: ServiceAreaForm) => ({
  base,
  serviceRadiusKm: isDistance(reach) ? reach : '',
  serviceDistricts: reach === 'districts' ? serviceDistricts.join(',') : '',
});

/** Converts a form for its preview. */
export const serviceAreaShown = ({ base, reach, serviceDistricts }: ServiceAreaForm): ShownServiceArea => ({
  base: base.trim() || null,
  serviceRadiusKm: isDistance(reach) ? Number(reach) : null,
  serviceDistricts: reach === 'districts' ? serviceDistricts : [],
});

/** The initial form of an existing listing. */
export const serviceAreaStart = ({ base, serviceRadiusKm, serviceDistricts }: ShownServiceArea): ServiceAreaForm => ({
  base: base ?? '',
  reach: serviceRadiusKm !== null ? String(serviceRadiusKm) : serviceDistricts.length > 0 ? 'districts' : '',
  serviceDistricts: [...serviceDistricts],
});
