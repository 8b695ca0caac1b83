import { expect, test } from 'vitest';
import { registerForm } from './calls.ts';
import { suggestUsername } from './username.ts';

test.each([
  ['Hana Tamihana', 'hana_t4821'],
  ['  Māia te Ao Kīngi ', 'maia_k4821'],
  ['Bartholomew-Christopher Featherstonehaugh', 'bartholomew_f4821'],
  ['Prince', 'prince_4821'],
  ['Jo', 'jo_4821'],
  ['X', 'neighbour_4821'],
  ['李小龍', 'neighbour_4821'],
  ['', ''],
])('suggests for %j the username %j, without the last name', (name, username) => {
  expect(suggestUsername(name, 4821)).toBe(username);
  expect(username === '' || registerForm.shape.username.safeParse(username).success).toBe(true);
});
