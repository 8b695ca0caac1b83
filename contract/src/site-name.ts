export const siteName = 'Handwise';
