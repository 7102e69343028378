import type { Static } from 'typebox'
import { change, type Step, step } from '../../core/change.ts'
import { from } from '../../core/returned.ts'
import {
  backupLabel,
  backupRepository,
  type ContainerSpec,
  type Manifest,
  type shapes,
} from '../../tools/docker/index.ts'
import { specOf } from './config.ts'
import { loadContainer, nameOf } from './containers.ts'
import { type Containers, work } from './context.ts'
import { copiesOf, paused, volumeSteps } from './copies.ts'
import { drawToken } from './create.ts'
import { containerLock } from './locks.ts'
import { BackupInput, RestoreInput } from './inputs.ts'
import { Backup, type BackupList, Created, type RestoreDraft } from './model.ts'
import { openedPorts, readPorts } from './ports.ts'
import { BackupMissing } from './problems.ts'

/** Lists the images and volume archives of backups; empty where the engine does not answer. */
export async function listBackups({ docker }: Containers): Promise<Static<typeof BackupList>> {
  const images = await docker.listImages().catch(() => []) // the contract answers with empty lists
  return {
    images: images.flatMap(({ Id, RepoTags, Size, Created }) =>
      (RepoTags ?? [])
        .filter((tag) => tag.startsWith(`${backupRepository}/`))
        .map((image) => ({ id: Id, image, size: Size, created: new Date(Created * 1000).toISOString() })),
    ),
    volume_archives: await docker.backups.list().catch(() => []),
  }
}

/** Returns the input of a backup: its folder is named by the container and the time. */
export async function draftBackup(
  on: Containers,
  id: string,
  now: Date,
): Promise<Static<typeof BackupInput>> {
  const found = await loadContainer(on, id)
  return { id: found.Id, name: nameOf(found), stamp: stampOf(now) }
}

/** Names a backup by its time. */
export function stampOf(now: Date): string {
  const stamp = now
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z$/g, '')
    .replace('T', '-')
  return `${stamp}-${drawToken().slice(0, 4)}`
}

/** Names of repositories are in lower case, and end and separate by single characters only. */
const repositoryOf = (name: string): string =>
  `${backupRepository}/${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')}`

/** Makes an image of a container's files and archives its volumes, while it is paused. */
export const backingUp = work({
  kind: 'containers.backup',
  lane: 'files',
  input: BackupInput,
  reply: Backup,
  timeoutMs: 6 * 3_600_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { id, name, stamp }, containers: on }) => {
    const { steps, reply } = await backupOf(on, await loadContainer(on, id), stamp)
    return change({ summary: `Back up the container ${name}`, locks: [containerLock(name)], steps, reply })
  },
})

interface ContainerBackup {
  readonly steps: readonly Step[]
  readonly manifest: Manifest
  readonly reply: Static<typeof Backup>
}

/** Returns the steps that back up a container, which is paused meanwhile. */
export async function backupOf(
  on: Containers,
  found: shapes.Inspected,
  stamp: string,
): Promise<ContainerBackup> {
  const [id, name, manifest] = [found.Id, nameOf(found), manifestOf(await specOf(on, found))]
  const { steps } = on.docker
  const [repository, folder] = [repositoryOf(name), `${name}-${stamp}`]
  return {
    manifest,
    steps: paused(on, found, [
      step(steps.commitContainer, { id, name, repository, tag: stamp }),
      step(steps.archiveVolumes, { id, folder, manifest }),
    ]),
    reply: {
      image: `${repository}:${stamp}`,
      folder,
      volume_archives: archivesOf(manifest).map(({ archive }) => archive),
    },
  }
}

/** The volumes that are archived, with their files. */
export const archivesOf = ({ volumes }: Manifest) =>
  volumes.flatMap(({ target, archive, isReadOnly }) =>
    archive === null ? [] : [{ target, archive, isReadOnly }],
  )

/** The environment is in the image. */
function manifestOf({ isPrivileged = false, memoryBytes = 0, cpus = 0, ...spec }: ContainerSpec): Manifest {
  const { name, image, ports, volumes, restartPolicy, network } = spec
  return {
    name,
    image,
    ports: ports.map((port) => ({ ...port })),
    volumes: volumes.map((volume, index) => ({
      ...volume,
      archive: volume.source.startsWith('/') ? null : `volume${index + 1}.tar`,
    })),
    restartPolicy,
    network,
    isPrivileged,
    memoryBytes,
    cpus,
  }
}

/** Returns the input of a restore. */
export const draftRestore = (draft: RestoreDraft): Static<typeof RestoreInput> => ({
  ...draft,
  token: drawToken(),
})

/** Creates a container of a backup, with volumes of its own, and starts it. */
export const restoring = work({
  kind: 'containers.restore',
  lane: 'files',
  input: RestoreInput,
  reply: Created,
  timeoutMs: 6 * 3_600_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { image, folder, name, ports, token }, containers: on }) => {
    const { docker } = on
    const found = await docker.findImage(image)
    if (found?.Config?.Labels?.[backupLabel] === undefined)
      throw BackupMissing(`image: ${image} is not the image of a backup`)
    const manifest = await docker.backups.readManifest(folder)
    if (manifest === undefined) throw BackupMissing(`folder: there is no backup ${folder}`)
    const spec = restoredOf(manifest, { image, name, ports })
    const create = step(docker.steps.createContainer, { spec, token })
    const archived = archivesOf(manifest).map(({ target, archive }) => ({ target, archive }))
    return change({
      summary: `Restore ${folder} as the container ${name}`,
      locks: [containerLock(name)],
      steps: [
        ...volumeSteps(on, spec.volumes, token),
        create,
        step(docker.steps.restoreVolumes, { to: name, folder, volumes: archived }),
        step(docker.steps.switchContainer, { id: name, verb: 'start' }),
      ],
      reply: { id: from(create, 'id'), opened_ports: openedPorts(spec.ports) },
    })
  },
})

interface Restored {
  readonly image: string
  readonly name: string
  readonly ports: readonly string[] | undefined
}

function restoredOf({ volumes, ...manifest }: Manifest, { image, name, ports }: Restored): ContainerSpec {
  const copies = copiesOf(
    volumes.map(({ archive: _archive, ...volume }) => volume),
    name,
  )
  return {
    ...manifest,
    name,
    image,
    env: [],
    command: [],
    ports: ports === undefined ? manifest.ports : readPorts(ports),
    volumes: copies,
  }
}
