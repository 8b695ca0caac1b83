import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  ssr: true,
  // All routes travel with the first page, so following a link costs one request and none to a manifest.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
