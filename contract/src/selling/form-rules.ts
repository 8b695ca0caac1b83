import { plans } from '../plans/table.ts';

// The limits and conversions that the forms show, without the schemas of `forms.ts`.

/** The most photos of any plan; the server enforces each plan's own limit. */
export const maxPhotos = Math.max(...Object.values(plans).map((one) => one.photos));
export const businessInfoLength = { min: 50, max: 500 };
export const serviceDescriptionLength = { min: 20, max: 4000 };

/** The colours of a generated letter avatar. The first is the default. */
export const logoColors = [
  '#10B981',
  '#3B82F6',
  '#F59E0B',
  '#EF4444',
  '#8B5CF6',
  '#EC4899',
  '#14B8A6',
  '#F97316',
  '#6366F1',
  '#84CC16',
] as const;

export const maxServices = 20;

/** Splits typed text into services by commas, without blank and repeated entries. */
export const listServices = (text: string): string[] => [
  ...new Map(
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
      .map((one) => [one.toLowerCase(), one] as const),
  ).values(),
];
