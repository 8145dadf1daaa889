// Makes the profiles that the other parts work on, and measures nothing.
import { fillProfiles } from './fill-profiles.mjs';

export async function measure({ query }, { profiles }) {
  await fillProfiles(query, profiles);
}
