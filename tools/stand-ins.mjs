import { install, runNode } from './install.mjs';

// The stand-ins of `npm start` without a server: for servers and workers as processes of their own.
await install();
const { NODE_ENV = 'production', SANDBOX = process.env.NODE_ENV ? '' : '1' } = process.env;
await runNode(['sandbox/src/stage.ts', ...process.argv.slice(2)], { env: { NODE_ENV, SANDBOX } });
