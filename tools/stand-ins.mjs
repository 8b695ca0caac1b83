import { install, runNode } from './install.mjs';

// The stand-ins of `npm start`, for servers and workers as separate processes.
await install();
const { NODE_ENV = 'production', SANDBOX = process.env.NODE_ENV ? '' : '1' } = process.env;
await runNode(['sandbox/src/stage.ts', ...process.argv.slice(2)], { env: { NODE_ENV, SANDBOX } });
