import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  ssr: true,
  // The first page includes all routes, so following a link needs no manifest request.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
