import { z } from 'zod';
import { list, type Read } from './values';

/** Each makes every change of somebody's traits dearer. */
const MAX_INDEXED_TRAITS = 8;
const MAX_TRAIT_LENGTH = 100;

export const profileVariables = {
  CDP_INDEXED_TRAITS: list
    .pipe(z.array(z.string().max(MAX_TRAIT_LENGTH)).max(MAX_INDEXED_TRAITS))
    .transform((traits) => [...new Set(traits)])
    .default([]),
};

/** How people are kept. */
export function profileSections(env: Read<typeof profileVariables>) {
  return {
    profiles: {
      /** Traits, by their names, that people are found by at once. */
      indexedTraits: env.CDP_INDEXED_TRAITS,
    },
  };
}
