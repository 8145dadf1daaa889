/** Other workers kept merging the profiles of a batch. Nothing is wrong with it: try again. */
export class ContendedProfilesError extends Error {
  constructor() {
    super(
      'The profiles of this batch were merged by other workers again and again; it is tried again later.',
    );
  }
}
