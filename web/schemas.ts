import { config } from 'zod';

// The content security policy forbids making code of text, and the library would try once on each page whether it may.
config({ jitless: true });

export * from 'zod';
