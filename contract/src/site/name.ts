export const siteName = 'Handwise';

/** Where people write to us. */
export const supportAddress = 'support@handwise.example';
