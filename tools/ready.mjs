import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
