import { readEnv } from './env.ts';
import { requireServices, stopOnSignal, work } from './serve.ts';

// Jobs alone, against the database of the environment: `npm run work`.
const working = await work(requireServices(readEnv(process.env)));
stopOnSignal(() => working.close());
