import type { ShownServiceArea } from './service-area-words.ts';

// The form's side of the service area, without the schemas of `service-area.ts`.

/** Choices of the forms; calls accept any whole number in this range. */
export const offeredRadii = [5, 10, 15, 20, 30, 50, 75, 100, 150, 200] as const;
export const maxServiceDistricts = 20;

/** Fields of the browser's forms: `reach` is a number of kilometres, "districts" or empty. */
export type ServiceAreaForm = { base: string; reach: string; serviceDistricts: string[] };
export const noServiceArea: ServiceAreaForm = { base: '', reach: '', serviceDistricts: [] };

export const isDistance = (reach: string) => reach !== '' && reach !== 'districts';

/** Converts a form for the calls. */
export const toServiceAreaInput = ({ base, reach, serviceDistricts }: ServiceAreaForm) => ({
  base,
  serviceRadiusKm: isDistance(reach) ? reach : '',
  serviceDistricts: reach === 'districts' ? serviceDistricts.join(',') : '',
});

/** Converts a form for its preview. */
export const toShownServiceArea = ({ base, reach, serviceDistricts }: ServiceAreaForm): ShownServiceArea => ({
  base: base.trim() || null,
  serviceRadiusKm: isDistance(reach) ? Number(reach) : null,
  serviceDistricts: reach === 'districts' ? serviceDistricts : [],
});

/** The initial form of an existing listing. */
export const toServiceAreaForm = ({ base, serviceRadiusKm, serviceDistricts }: ShownServiceArea): ServiceAreaForm => ({
  base: base ?? '',
  reach: serviceRadiusKm !== null ? String(serviceRadiusKm) : serviceDistricts.length > 0 ? 'districts' : '',
  serviceDistricts: [...serviceDistricts],
});
