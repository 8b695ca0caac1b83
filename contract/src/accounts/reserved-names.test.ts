import { expect, test } from 'vitest';
import { isMisleadingName, isReservedUsername } from './reserved-names.ts';

const names = (text: string) => text.split(/,\s*/);

test.each([
  'admin, Admin, ADMIN, adm1n, 4dmin, admin_, _admin_, a_d_m_i_n, admin2, admin_007, 1admin, the_admin, admin_nz, jane_admin',
  'administrator, moderator, m0derator, mod, sysadmin, superuser, theadmin, adminnz, admin_support, adminsupport',
  'root, r00t, Root, _root, root1, user_root, rootuser, ro0t_nz',
  'support, supp0rt, 5upport, support_nz, nz_support, support_team, supportteam, SUPPORT_24, customer_support, sup_port, the_support_of_nz',
  'handwise, HandWise, hand_wise, handw1se, h4ndwise, handwise_nz, real_handwise, handwiseteam, handwise99',
  'staff, team, official, 0fficial, security, bi11ing, help, he1p, webmaster, postmaster, noreply, no_reply, info, system, api, null',
])('reserves the user names %s', (list) => {
  expect(names(list).filter((name) => !isReservedUsername(name))).toEqual([]);
});

test('accepts user names of people and trades', () => {
  const free =
    'mere_k, root_and_branch, lock_security, team_tui, supporter, badminton, user_1, the_nz_user, modernise, handy_wise_owl, newell, helpful_hands';
  expect(names(free).filter(isReservedUsername)).toEqual([]);
});

test('rejects full names that pass for the site or its staff, also in look-alike letters', () => {
  const misleading = `Handwise, Handwise Support, The Handwise Team, HANDWISE, Hand Wise, H4ndwise, Hаndwisе, Ｈａｎｄｗｉｓｅ, Hand\u200bwise, Admin,
    Jane (Admin), Jane Ad\u200bmin, Site Administrator, Аdmin, Ådmin, Support, Support Team, Customer Support, Support NZ, Root`;
  expect(names(misleading).filter((name) => !isMisleadingName(name))).toEqual([]);
});

test('accepts full names that only resemble reserved ones', () => {
  const free = 'Joe Root, Judith Guest, Mere Kingi, Aroha Wise, Rob Hand, Māui Tāmati, Андрей Котов, An Nguyen, Guy, 王小明, X Æ A-12';
  expect(names(free).filter(isMisleadingName)).toEqual([]);
});
