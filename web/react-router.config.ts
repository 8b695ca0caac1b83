import { join } from 'node:path';
import type { Config } from '@react-router/dev/config';
import { slimManifestIn } from './routes-manifest.ts';

export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  ssr: true,
  // All routes travel with the first page, so following a link costs one request and none to a manifest.
  routeDiscovery: { mode: 'initial' },
  buildEnd: ({ reactRouterConfig }) => slimManifestIn(join(reactRouterConfig.buildDirectory, 'client/assets')),
} satisfies Config;
