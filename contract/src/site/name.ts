export const siteName = 'Handwise';

export const supportAddress = 'support@handwise.example';
