import { config } from 'zod';

// The content security policy forbids `eval`, which the library would otherwise try once on each page.
config({ jitless: true });

export * from 'zod';
