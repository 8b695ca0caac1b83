// The server replaces the name of the cache by one with the hash of the offline page: a changed page is a changed worker.
const shell = 'shell-SHELL';
const offlinePage = '/offline.html';

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(shell).then((cache) => cache.add(new Request(offlinePage, { cache: 'reload' }))));
});

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== shell).map((name) => caches.delete(name)));
  // Otherwise pages would wait for the start of this worker.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener('activate', (event) => event.waitUntil(activate()));

async function loadPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(offlinePage)) ?? Response.error();
  }
}

// Only pages, and none is stored: answers of the API and personal pages never are.
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(loadPage(event));
});
