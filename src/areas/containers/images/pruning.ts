import { change, step } from '../../../core/change.ts'
import { singleLock } from '../../../core/lock.ts'
import { from } from '../../../core/returned.ts'
import { replacesLabel } from '../containers.ts'
import { type Containers, work } from '../context.ts'
import { isBackupImage } from './kept.ts'
import { PruneBody, Pruned, type PrunedObject } from './model.ts'
import { chooseObjects } from './prune.ts'
import { Networks, Usage } from './usage.ts'

const pruneLock = singleLock('container prune')

/** Removes what no container uses, but no backup; its plan names each object and its size. */
export const pruning = work({
  kind: 'containers.prune',
  input: PruneBody,
  reply: Pruned,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input, containers: on }) => {
    const objects = await unusedObjects(on, input)
    const details = ['Images of backups, running containers, and volumes and networks in use are kept']
    if (objects.length === 0)
      return change({
        summary: 'Clean up containers and images',
        locks: [pruneLock],
        details: ['Nothing is unused', ...details],
        reply: { removed: [], freed_bytes: 0 },
      })
    const prune = step(on.docker.steps.pruneObjects, { objects })
    return change({
      summary: 'Clean up containers and images',
      locks: [pruneLock],
      steps: [prune],
      details,
      reply: { removed: from(prune, 'removed'), freed_bytes: from(prune, 'freed') },
    })
  },
})

async function unusedObjects({ docker }: Containers, wanted: PruneBody): Promise<readonly PrunedObject[]> {
  const { engine } = docker
  const get = (path: string) => ({ method: 'GET', path }) as const
  const [usage, networks] = await Promise.all([
    engine.read(Usage, get('/system/df')),
    engine.read(Networks, get('/networks?filters=%7B%22dangling%22%3A%5B%22true%22%5D%7D')),
  ])
  const kept = new Set((usage.Containers ?? []).flatMap(({ Labels }) => Labels?.[replacesLabel] ?? []))
  return chooseObjects({ usage, networks, isBackup: isBackupImage, kept }, wanted)
}
