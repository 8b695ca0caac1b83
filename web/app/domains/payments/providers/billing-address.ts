/** Without what was left empty: the provider would keep it as given, and compare it with what the bank knows. */
export const filled = <Parts extends Record<string, string>>(parts: Parts) =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== '')) as { [Name in keyof Parts]?: string };
