/** The averages from which a search can ask for ratings. */
export const ratingChoices = ['3', '3.5', '4', '4.5'] as const;

/** The prices that a search offers as limits, in whole dollars; any other number may be asked for as well. */
export const priceChoices = [50, 100, 150, 250, 500, 1000] as const;

/** How far away results may be, where a search says near which place and not how far. */
export const usualKm = 25;

/** In an order that is not by plan, so many featured listings at most stand first, and say that this is paid for. */
export const maxPaidPlaces = 4;
