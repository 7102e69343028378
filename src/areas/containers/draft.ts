import { posix } from 'node:path'
import { isMasked } from '../../core/secret.ts'
import {
  type ContainerSpec,
  parseReference,
  restartPolicies,
  type VolumeMount,
} from '../../tools/docker/index.ts'
import type { ContainerDraft } from './model.ts'
import { readPorts } from './ports.ts'
import { ConfirmationMissing, DraftInvalid } from './problems.ts'

/** Reads a draft into what the engine creates; throws with the field and the value that is wrong. */
export function readDraft(
  draft: ContainerDraft,
  name: string,
  formerEnv: readonly string[] = [],
): ContainerSpec {
  if (name.length < 2) throw DraftInvalid(`name: ${name} is too short: use at least two characters`)
  if (parseReference(draft.image) === undefined)
    throw DraftInvalid(`image: ${draft.image} is not the name of an image such as nginx:1.27`)
  const { memory_mb: memory = 0, cpus = 0, network = 'bridge', privileged = false } = draft
  if (memory > 0 && memory < 6) throw DraftInvalid(`memory_mb: ${memory} is below the minimum of 6`)
  const ports = readPorts(draft.ports)
  if (network === 'host' && ports.length > 0)
    throw DraftInvalid('ports: a container in the network of the host publishes none: leave them out')
  return {
    name,
    image: draft.image,
    env: (draft.env ?? []).map((text, index) => readVariable(text, `env.${index}`, formerEnv)),
    command: (draft.command ?? '').split(/\s+/).filter((word) => word !== ''),
    ports,
    volumes: readVolumes(draft.volumes),
    restartPolicy: restartPolicies.find((policy) => policy === draft.restart_policy) ?? 'no',
    network,
    isPrivileged: privileged,
    memoryBytes: memory * 1024 * 1024,
    cpus,
  }
}

/** A message names the key, never the value. */
function readVariable(text: string, field: string, former: readonly string[]): string {
  const [, key, value = ''] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(text) ?? []
  if (key === undefined)
    throw DraftInvalid(`${field}: must be KEY=value, with a key of letters, digits and _`)
  if (/[\u0000-\u001f\u007f]/.test(value))
    throw DraftInvalid(`${field}: the value of ${key} has a line break or another control character`)
  if (!isMasked(value)) return text
  const kept = former.find((each) => each.startsWith(`${key}=`))
  if (kept === undefined) throw DraftInvalid(`${field}: the container has no value of ${key} to keep`)
  return kept
}

function readVolumes(texts: readonly string[] = []): readonly VolumeMount[] {
  const volumes = texts.flatMap((text, index) =>
    text.trim() === '' ? [] : [readVolume(text, `volumes.${index}`)],
  )
  const twice = volumes.find(
    ({ target }, index) => volumes.findIndex((each) => each.target === target) < index,
  )
  if (twice) throw DraftInvalid(`volumes: two of them are mounted at ${twice.target}`)
  return volumes
}

const volumeName = /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/

function readVolume(text: string, field: string): VolumeMount {
  const [source = '', target = '', mode = 'rw', ...rest] = text.split(':')
  if (rest.length > 0 || (mode !== 'ro' && mode !== 'rw'))
    throw DraftInvalid(`${field}: ${text}: use source:/path, then :ro or :rw`)
  if (!source.startsWith('/') && !volumeName.test(source))
    throw DraftInvalid(
      `${field}: ${text}: ${source || 'nothing'} is neither an absolute path nor the name of a volume of at least two characters`,
    )
  for (const path of source.startsWith('/') ? [source, target] : [target])
    if (!path.startsWith('/') || path.split('/').includes('..'))
      throw DraftInvalid(`${field}: ${text}: ${path || 'nothing'} is not an absolute path without ..`)
  if (posix.normalize(target) === '/') throw DraftInvalid(`${field}: ${text}: / cannot be mounted over`)
  return { source, target, isReadOnly: mode === 'ro' }
}

const systemFolders = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/proc',
  '/root',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
  '/var/lib/docker',
  '/var/lib/hostreeve',
  '/var/run',
]
const wholeTrees = new Set([
  '/',
  '/home',
  '/opt',
  '/srv',
  '/var',
  '/var/lib',
  '/var/log',
  '/var/spool',
  '/var/www',
])

/** Names the options with which a container can take over the host: each has to be confirmed. */
export function dangersOf({ volumes, network, isPrivileged }: ContainerSpec): readonly string[] {
  const paths = volumes.map(({ source }) => source).filter((source) => source.startsWith('/'))
  return [
    ...paths.filter((path) => isSystemPath(posix.normalize(path).replace(/(.)\/$/, '$1'))),
    ...(isPrivileged ? ['privileged'] : []),
    ...(network === 'host' || network.startsWith('container:') ? ['host'] : []),
  ]
}

const isSystemPath = (path: string): boolean =>
  wholeTrees.has(path) ||
  systemFolders.some((folder) => path === folder || path.startsWith(`${folder}/`)) ||
  path.endsWith('/docker.sock')

/** Throws unless the caller has confirmed each dangerous option. */
export function assertConfirmed(spec: ContainerSpec, confirmed: readonly string[] = []): void {
  const missing = dangersOf(spec).filter((danger) => !confirmed.includes(danger))
  if (missing.length > 0)
    throw ConfirmationMissing(
      `confirm: these options give the container power over the host: ${missing.join(', ')}. Repeat them in confirm if they are meant`,
    )
}
