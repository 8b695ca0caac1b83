import { build } from './build.mjs';
import { runChecks } from './checks.mjs';
import { install } from './install.mjs';

await install();
const { passed, failed } = await runChecks(build());
console.log(`${passed} checks hold, ${failed} fail`);
process.exit(failed === 0 ? 0 : 1);
