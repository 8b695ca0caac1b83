import { expect, test } from 'vitest';
import { describeBusiness } from './quotes.views.ts';

test('names the GST number only in a quote with GST; in Australia it says that the business is registered if it has an ABN', () => {
  const row = {
    country: 'NZ' as const,
    district_code: 1,
    base_locality_code: null,
    business_phone: '',
    business_email: '',
    business_number: '9429000000000' as string | null,
    gst_number: '136410132' as string | null,
    gst_registered: false,
    licence_register: null,
    licence_number: null,
    licence_name: null,
    licence_hidden: false,
    logo: '',
  };
  const linesOf = (changed: object, gstIncluded = true) =>
    describeBusiness({ ...row, ...changed }, gstIncluded).lines.filter((line) => /NZBN|ABN|GST/.test(line));
  expect(linesOf({})).toEqual(['NZBN 9429000000000', 'GST number 136-410-132']);
  expect(linesOf({}, false)).toEqual(['NZBN 9429000000000']);
  expect(linesOf({ gst_number: null, gst_registered: true })).toEqual(['NZBN 9429000000000']);
  const perth = { country: 'AU', business_number: '51824753556', gst_registered: true };
  expect(linesOf(perth)).toEqual(['Registered for GST, ABN 51 824 753 556']);
  expect(linesOf(perth, false)).toEqual(['ABN 51 824 753 556']);
  expect(linesOf({ ...perth, business_number: null })).toEqual([]);
  expect(linesOf({ ...perth, gst_registered: false })).toEqual(['ABN 51 824 753 556']);
});
