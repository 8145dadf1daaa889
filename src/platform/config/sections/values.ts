import { z } from 'zod';

/** Kinds of values that variables have. */
export const flag = z.stringbool();
export const number = z.coerce.number({
  // What is a number, and too big or no whole one, is told what it must be by Zod.
  error: ({ input }) => (Number.isNaN(input) ? 'must be a number' : undefined),
});
export const positiveInt = number.int().positive();
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** The values of variables, read as `T` says. */
export type Read<T extends z.ZodRawShape> = z.infer<z.ZodObject<T>>;

export const SECOND_MS = 1_000;
