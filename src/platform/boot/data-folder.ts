import { accessSync, constants, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { BootError } from './boot-error';
import { makeFolderDurably } from './durable-files';

/**
 * Makes the data folder when it is absent and returns its real path.
 * @throws BootError when this user cannot write there.
 */
export function openDataFolder(path: string): string {
  try {
    makeFolderDurably(path);
    accessSync(path, constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BootError(
      `The data folder ${path} is not writable for ${userInfo().username} (${reason}): ` +
        'fix its permissions or set CDP_DATA_DIR to another folder.',
      { cause: error },
    );
  }
}
