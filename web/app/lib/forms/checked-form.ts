import { inputMessage } from '@handwise/contract/input-messages';
import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';
import { type ResolvedForm, useResolvedForm } from './resolved-form.ts';

type CheckedForm<Values extends FieldValues> = Omit<ResolvedForm<Values>, 'resolver'> & { schema: z.ZodType<Values, Values> };

export const createSchemaResolver = <Values extends FieldValues>(schema: z.ZodType<Values, Values>): Resolver<Values> =>
  zodResolver<Values, unknown, Values>(schema, { error: inputMessage });

/** A form that is checked by its schema on submit. */
export const useCheckedForm = <Values extends FieldValues>({ schema, ...form }: CheckedForm<Values>) =>
  useResolvedForm<Values>({ ...form, resolver: createSchemaResolver(schema) });
