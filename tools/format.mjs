import { formatting } from './checks.mjs';
import { install, runNode } from './install.mjs';

await install();
await runNode(formatting('.'));
