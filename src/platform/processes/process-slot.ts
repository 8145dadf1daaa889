import cluster from 'node:cluster';

/**
 * Which of the processes of one start this is, from 1 on; undefined when it is the only one, or the one that started
 * them. A process that takes the place of one that died has its number.
 */
export function processSlot(): number | undefined {
  return cluster.isWorker ? Number(process.argv[2]) : undefined;
}
