import type { WorkTask } from '@handwise/contract/admin/work';
import type { WorkSource } from '@handwise/contract/admin/work-sources';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { WorkList } from './work-list.tsx';

const now = Date.parse('2026-11-30T00:00:00Z');
const task: WorkTask = {
  source: 'licences',
  title: 'Licence BP123456: LBP',
  path: '/admin/licences',
  since: '2026-11-20T00:00:00Z',
  dueAt: '2026-11-29T00:00:00Z',
};
type Work = { tasks?: WorkTask[]; left?: { source: WorkSource; number: number }[]; unread?: WorkSource[] };
const show = ({ tasks = [], left = [], unread = [] }: Work, ...[findings]: [Parameters<typeof WorkList>[0]['findings']?]) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <WorkList work={{ tasks, left, unread }} findings={findings} now={now} />
    </MemoryRouter>,
  );

test('says that nothing is waiting only when every source was read and the installation is fine', () => {
  const empty = 'Nothing is waiting for you: all queues are empty.';
  expect(show({}, [])).toContain(empty);
  for (const findings of [undefined, null, [{ name: 'Backups', state: 'fail' as const, says: 'None.', todo: null }]]) {
    expect(show({}, findings)).toContain('All queues are empty.');
    expect(show({}, findings)).not.toContain(empty);
  }
  expect(show({ tasks: [task] }, [])).not.toContain(empty);
  expect(show({ unread: ['licences'] }, [])).not.toContain(empty);
  expect(show({ unread: ['licences'] })).toContain('Could not be read: licences to look up.');
});

test('links each task with its age and what is overdue', () => {
  const html = show({ tasks: [task], left: [{ source: 'licences', number: 7 }] });
  expect(html).toContain('8 things to do, 1 overdue.');
  expect(html).toMatch(/<a[^>]* href="\/admin\/licences"[^>]*>.*Licence BP123456: LBP.*Waiting for 10 days.*24 hours overdue/);
  expect(html).toContain('And 7 more: licences to look up.');
});

test('the installation is never called fine before it was checked', () => {
  expect(show({}, undefined)).toContain('Being checked…');
  expect(show({}, null)).toContain('Could not be checked');
  expect(show({}, [])).toContain('Fine');
  const findings = [
    { name: 'Backups', state: 'fail' as const, says: 'None for 3 days.', todo: 'Look at them.' },
    { name: 'Clock', state: 'warn' as const, says: 'Could not be checked.', todo: null },
  ];
  expect(show({}, findings)).toContain('1 to mend, 1 to look at');
});
