// The mailbox page: the list on the left, polled every two seconds, and the email of the address.
const find = (id) => document.getElementById(id);
const [list, mail, html, text] = ['list', 'mail', 'html', 'text'].map(find);
let summaries = [];
let etag = '';
let shown = '';

const nameOf = ({ name, address }) => (name ? `${name} <${address}>` : address);
const timeOf = (time) => {
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  return today ? date.toLocaleTimeString([], { timeStyle: 'short' }) : date.toLocaleDateString([], { dateStyle: 'medium' });
};
const element = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

function drawList() {
  const unread = summaries.filter((one) => !one.read).length;
  find('count').textContent = summaries.length ? `${summaries.length} ${summaries.length === 1 ? 'mail' : 'mails'}, ${unread} unread` : '';
  find('delete-all').hidden = find('choose').hidden = summaries.length === 0;
  find('empty').hidden = summaries.length > 0;
  document.body.classList.toggle('empty', summaries.length === 0);
  const focused = document.activeElement?.getAttribute('href');
  const rows = summaries.toReversed().map(({ id, subject, to, time, read }) => {
    const link = element(
      'a',
      { href: `#${id}`, className: read ? '' : 'unread' },
      element('span', {}, to.map((one) => one.address).join(', ')),
      element('time', { dateTime: time }, timeOf(time)),
      element('strong', {}, subject || '(no subject)'),
    );
    if (id === shown) link.setAttribute('aria-current', 'true');
    return element('li', {}, link);
  });
  list.replaceChildren(...rows);
  if (focused) list.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
  showAddressed().catch(() => {});
}

async function refresh() {
  const answer = await fetch('/summaries', { cache: 'no-store', headers: etag ? { 'if-none-match': etag } : {} });
  if (answer.status !== 200) return;
  etag = answer.headers.get('etag') ?? '';
  summaries = await answer.json();
  drawList();
}

async function showAddressed() {
  const id = location.hash.slice(1);
  const known = summaries.some((one) => one.id === id);
  mail.hidden = !known;
  document.body.classList.toggle('reading', known);
  find('choose').hidden = known || summaries.length === 0;
  if (!known) shown = '';
  if (!known || id === shown) return;
  shown = id;
  const opened = await (await fetch(`/email/${id}`)).json();
  if (shown !== id) return;
  find('subject').textContent = opened.subject || '(no subject)';
  const facts = [
    ['From', opened.from.map(nameOf).join(', ')],
    ['To', opened.to.map(nameOf).join(', ')],
    ['Reply to', opened.replyTo.map(nameOf).join(', ')],
    ['Sent', new Date(opened.date).toLocaleString([], { dateStyle: 'full', timeStyle: 'medium' })],
    ['Attached', opened.attachments.map((one) => one.fileName).join(', ')],
  ].filter(([, value]) => value);
  find('facts').replaceChildren(...facts.flatMap(([label, value]) => [element('dt', {}, label), element('dd', {}, value)]));
  text.textContent = opened.text;
  html.src = `/email/${id}/html`;
  showAs(opened.html ? 'html' : 'text');
  await refresh();
}

function showAs(kind) {
  html.hidden = kind !== 'html';
  text.hidden = kind !== 'text';
  find('as-html').setAttribute('aria-pressed', String(kind === 'html'));
  find('as-text').setAttribute('aria-pressed', String(kind === 'text'));
}

const act = (id, action) => find(id).addEventListener('click', action);
act('as-html', () => showAs('html'));
act('as-text', () => showAs('text'));
act('back', () => (location.hash = ''));
act('delete', async () => {
  await fetch(`/email/${shown}`, { method: 'DELETE' });
  location.hash = '';
  await refresh();
});
act('delete-all', async () => {
  if (!confirm('Delete all mails?')) return;
  await fetch('/email/all', { method: 'DELETE' });
  await refresh();
});
addEventListener('hashchange', drawList);

// A stopped mailbox is back at the next start, so polling continues.
const tick = () => refresh().catch(() => {});
setInterval(() => void tick(), 2_000);
await tick();
