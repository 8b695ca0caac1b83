/** A browser that has signed in before shows it in this header: it is then slowed by wrong passwords, not locked out. */
export const deviceHeader = 'x-device';
