// The server puts the hash of the offline page into the cache's name, so that a changed page makes a changed worker.
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

// Only navigations, and no response is cached.
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(loadPage(event));
});

const isFocused = (client, path) => client.focused && new URL(client.url).pathname === path;

async function showPush(event) {
  const { title, body, path, tag } = event.data.json();
  const pages = await self.clients.matchAll({ type: 'window' });
  const isRead = pages.some((client) => isFocused(client, path));
  await self.registration.showNotification(title, {
    body,
    tag,
    renotify: !isRead,
    silent: isRead,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: { path },
  });
  // Browsers demand one for each push, and the page already shows it.
  if (isRead) for (const notification of await self.registration.getNotifications({ tag })) notification.close();
}

self.addEventListener('push', (event) => event.waitUntil(showPush(event)));

async function openPage({ data }) {
  const url = new URL(data.path, self.location.origin);
  // Only our own pages.
  if (url.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: 'window' });
  const open = pages.find((client) => new URL(client.url).pathname === url.pathname);
  await (open ? open.focus() : self.clients.openWindow(url.href));
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification));
});
